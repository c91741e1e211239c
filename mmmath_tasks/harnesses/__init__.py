"""The harnesses, one module each: the only importers of lm_eval, vlmeval and lmms_eval."""
