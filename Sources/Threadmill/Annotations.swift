// Whoever links Threadmill has the annotations as well.
@_exported import ThreadmillAnnotations
