import ThreadmillCommand

/// Whether this process may use more than one processor. Foundation counts those of the machine.
package let hasSeveralProcessors = MachineFacts.Processors.current.usable > 1
