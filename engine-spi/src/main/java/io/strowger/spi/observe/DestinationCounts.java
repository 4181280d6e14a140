package io.strowger.spi.observe;

/**
 * Counts the calls of one destination since the gateway was built. Every call that was handed over,
 * or found on disk at the start, is delivered, dropped or waiting. While no call is on its way, the
 * calls handed over and {@code recovered} together equal the sum of {@code queued}, {@code
 * diskCalls}, {@code delivered} and the four {@code dropped} counts.
 *
 * @param id the id of the destination
 * @param type the type of the destination, such as {@code webhook}
 * @param workspaceId the id of its workspace
 * @param queued calls that wait in memory, or are on their way from there
 * @param queuedBytes about how many bytes of memory they take
 * @param diskCalls calls that wait on disk, or are on their way from there; 0 where {@code
 *     observability_queue} has no directory
 * @param diskBytes size of their files in bytes, including calls that are already delivered
 * @param recovered calls that were found on disk at the start, including damaged ones
 * @param delivered calls that the destination accepted
 * @param droppedFull calls that came when the queue was full
 * @param droppedRefused calls that the destination refused for good
 * @param droppedFailed calls that could not be delivered in time
 * @param droppedDamaged calls, or places in files, that could not be read back from disk; a file
 *     that cannot be read at all counts as one
 * @param failures delivery attempts that failed
 * @param failing whether the last delivery attempt failed
 */
public record DestinationCounts(
    String id,
    String type,
    String workspaceId,
    long queued,
    long queuedBytes,
    long diskCalls,
    long diskBytes,
    long recovered,
    long delivered,
    long droppedFull,
    long droppedRefused,
    long droppedFailed,
    long droppedDamaged,
    long failures,
    boolean failing) {}
