"""From YAML files to typed settings: errors with file and line, JSON Schema, and the reference page."""
