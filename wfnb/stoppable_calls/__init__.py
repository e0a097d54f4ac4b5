"""a function or an awaitable -> a call of it that can be stopped."""
