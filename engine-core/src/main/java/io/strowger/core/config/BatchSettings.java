package io.strowger.core.config;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings for processing batches.
 *
 * @param workers most requests of batches that this process serves at a time, 0 to 1,000; 0: it
 *     accepts batches and leaves them to other nodes
 * @param lease how long other nodes wait for a silent node before they take over; 5 s to an hour
 * @param liveShare the share of the places at an endpoint that is reserved for requests whose
 *     callers wait; 0.0001 to 1
 * @param retention how long requests and results are kept once a batch is over; an hour to ten
 *     years
 * @param maxUnfinishedPerWorkspace how many batches of a workspace may wait for their results at
 *     the same time; 1 to 999
 */
public record BatchSettings(
    int workers,
    Duration lease,
    double liveShare,
    Duration retention,
    int maxUnfinishedPerWorkspace) {
  public BatchSettings {
    Objects.requireNonNull(lease, "lease");
    Objects.requireNonNull(retention, "retention");
  }

  static BatchSettings read(Section in) {
    Double share = in.share("live_share");
    return new BatchSettings(
        in.wholeNumber("workers", 0, 1_000, 4),
        Duration.ofSeconds(in.wholeNumber("lease_seconds", 5, 3_600, 60L)),
        share == null ? 0.5 : share,
        Duration.ofHours(in.wholeNumber("retention_hours", 1, 87_600, 720L)),
        in.wholeNumber("open_per_workspace", 1, 999, 100));
  }
}
