@_exported import enum ThreadmillModel.FindingKind
