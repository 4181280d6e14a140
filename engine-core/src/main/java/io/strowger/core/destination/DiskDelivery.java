package io.strowger.core.destination;

import io.strowger.core.destination.CountingSender.Result;
import io.strowger.core.destination.CountingSender.Verdict;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the calls of one destination that are on disk, the oldest first. Calls that fail stay
 * there. When the same calls have failed for five minutes, they are delivered one by one, and a
 * single call that still fails is moved to the end, so that it does not hold up the others. For one
 * thread.
 */
final class DiskDelivery {
  private static final Logger log = LoggerFactory.getLogger(DiskDelivery.class);

  private final String name; // for the log
  private final DiskQueue disk;
  private final CountingSender sender;
  private final DeliveryCounts counts;
  private final RetryBackoff backoff;
  private final Ambient ambient;
  private final CallExport callExport;
  private int maxCalls = WaitingCalls.BATCH_CALLS; // of one delivery
  private DiskQueue.@Nullable Batch failedBatch; // the batch that failed; null when none has
  private long failedSinceNanos; // nanoTime when it failed first

  DiskDelivery(
      String name,
      DiskQueue disk,
      CountingSender sender,
      DeliveryCounts counts,
      RetryBackoff backoff,
      Ambient ambient) {
    this.name = name;
    this.disk = disk;
    this.sender = sender;
    this.counts = counts;
    this.backoff = backoff;
    this.ambient = ambient;
    this.callExport = new CallExport(name, ambient);
  }

  /** Tries the oldest calls once. If that fails, a pause begins. */
  void deliver(DestinationExporter exporter) {
    DiskQueue.Batch batch = disk.read(maxCalls, WaitingCalls.BATCH_BYTES);
    if (batch.readFailed()) {
      backoff.begin(backoff.next(Duration.ZERO));
    }
    List<CallTrace> calls = batch.calls();
    if (calls.isEmpty()) {
      return;
    }
    List<ExportRequest> requests = callExport.requests(exporter, calls);
    if (requests == null) {
      onExportFailure(batch);
      return;
    }
    int settled = 0;
    Result last = null;
    try {
      for (ExportRequest request : requests) {
        int count = Math.clamp(request.calls(), 0, calls.size() - settled);
        last = sender.send(request, exporter, count);
        if (last.verdict() == Verdict.TOO_LARGE || last.verdict() == Verdict.FAILED) {
          break;
        }
        settled += count;
        if (last.verdict() == Verdict.ACCEPTED) {
          backoff.reset();
          maxCalls = Math.min(WaitingCalls.BATCH_CALLS, 2 * maxCalls);
        }
      }
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      log.error("delivering to destination {} failed", name, bug);
      last = null; // or these calls would be tried again forever
    }
    if (last != null && last.verdict() == Verdict.FAILED) {
      disk.acknowledge(batch, settled);
      onFailure(batch, settled);
      backoff.begin(backoff.next(last.requestedPause()));
    } else if (last != null && last.verdict() == Verdict.TOO_LARGE) {
      disk.acknowledge(batch, settled);
      maxCalls = Math.max(1, (calls.size() - settled) / 2);
    } else {
      counts.addGivenUp(calls.size() - settled); // the exporter left them out, or it failed
      disk.acknowledge(batch, calls.size());
    }
  }

  /** Exports calls again in smaller parts, so that only those are lost for which that fails. */
  private void onExportFailure(DiskQueue.Batch batch) {
    int count = batch.calls().size();
    if (count == 1) {
      counts.addGivenUp(1);
      disk.acknowledge(batch, 1);
    } else {
      maxCalls = count / 2;
    }
  }

  private void onFailure(DiskQueue.Batch batch, int settled) {
    DiskQueue.Batch previous = failedBatch;
    if (settled > 0
        || previous == null
        || previous.segment() != batch.segment()
        || previous.from() != batch.from()) {
      failedBatch = batch;
      failedSinceNanos = ambient.nanoTime();
    } else if (ambient.nanoTime() - failedSinceNanos > DestinationQueue.MAX_RETRY_TIME.toNanos()) {
      failedBatch = null;
      if (batch.calls().size() == 1 && disk.calls() > 1) {
        disk.acknowledge(batch, disk.append(batch.calls(), true));
      }
      maxCalls = 1;
    }
  }
}
