@_exported import enum ThreadmillModel.JitterPolicy
