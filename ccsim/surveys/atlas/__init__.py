"""The atlas: a database, part of the package, of quantities of all classes on few points."""
