"""Every drawing × awkward data, as pages to measure and to look at."""
