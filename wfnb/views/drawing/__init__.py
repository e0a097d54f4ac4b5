"""Graph -> pictures of it: SVG, DOT, Mermaid and text, all from one model."""
