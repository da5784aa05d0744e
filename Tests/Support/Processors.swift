import ThreadmillCommand

/// Whether this process may use more than one. Foundation's count has those of the machine.
package let hasSeveralProcessors = MachineFacts.Processors.current.usable > 1
