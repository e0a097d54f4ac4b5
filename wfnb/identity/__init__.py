"""a notebook's file -> the session that it uses: found again, copied, or new."""
