"""The nearest training cases, for every method that predicts from them."""
