"""What runs inside the jail: it trusts nothing that model-written code leaves behind, and is trusted with nothing."""
