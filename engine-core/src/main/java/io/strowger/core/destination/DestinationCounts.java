package io.strowger.core.destination;

/**
 * What became of the calls of one destination since the gateway was built. Every call that was
 * handed over is delivered, dropped or waiting.
 *
 * @param id of the destination
 * @param type such as {@code webhook}
 * @param workspaceId of its workspace
 * @param queued calls that wait, or are on their way
 * @param queuedBytes about how much memory they take
 * @param delivered calls the destination took
 * @param droppedFull calls that came when the queue was full
 * @param droppedRefused calls the destination refused for good
 * @param droppedFailed calls that could not be delivered in time
 * @param failures attempts that failed
 * @param failing the last attempt failed
 */
public record DestinationCounts(
    String id,
    String type,
    String workspaceId,
    long queued,
    long queuedBytes,
    long delivered,
    long droppedFull,
    long droppedRefused,
    long droppedFailed,
    long failures,
    boolean failing) {}
