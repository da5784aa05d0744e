// `import Threadmill` gives the annotations as well.
@_exported import ThreadmillAnnotations
