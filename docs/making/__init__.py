"""program -> its pages and pictures: one module a page, each a pure function of what it reads."""
