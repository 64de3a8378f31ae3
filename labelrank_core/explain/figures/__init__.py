"""Evidence as figures with axes: plain values, which Plotly or `markup.still` draws."""
