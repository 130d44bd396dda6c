"""Teaching dimensions and the star number: labelled points that single out a concept."""
