"""`python -m mmmath_tasks` is `mmmath`."""

import sys

from mmmath_tasks.cli import main

sys.exit(main())
