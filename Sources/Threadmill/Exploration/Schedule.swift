@_exported import struct ThreadmillModel.Schedule
@_exported import enum ThreadmillModel.ScheduleError
