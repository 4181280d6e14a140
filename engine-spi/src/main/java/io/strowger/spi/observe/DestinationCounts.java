package io.strowger.spi.observe;

/**
 * What became of the calls of one destination since the gateway was built. Every call that was
 * handed over, or found on disk at the start, is delivered, dropped or waiting: once nothing is
 * under way, what was handed over and {@code recovered} together are the sum of {@code queued},
 * {@code diskCalls}, {@code delivered} and the four {@code dropped} ones.
 *
 * @param id of the destination
 * @param type such as {@code webhook}
 * @param workspaceId of its workspace
 * @param queued calls that wait in memory, or are on their way from there
 * @param queuedBytes about how much memory they take
 * @param diskCalls calls that wait on disk, or are on their way from there; 0 where {@code
 *     observability_queue} has no directory
 * @param diskBytes bytes of the files they are in, also of what was delivered of them already
 * @param recovered calls that were found on disk at the start, damaged ones too
 * @param delivered calls the destination took
 * @param droppedFull calls that came when the queue was full
 * @param droppedRefused calls the destination refused for good
 * @param droppedFailed calls that could not be delivered in time
 * @param droppedDamaged calls, or places in files, that could not be read from disk again; a file
 *     that cannot be read at all counts as one
 * @param failures attempts that failed
 * @param failing the last attempt failed
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
