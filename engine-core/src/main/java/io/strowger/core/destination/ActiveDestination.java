package io.strowger.core.destination;

import io.strowger.core.destination.Digests.SampledSession;
import io.strowger.core.resource.DestinationSelection;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.Disclosure;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One active destination: the rules that select its calls, and its queue. Safe on any thread. */
final class ActiveDestination {
  private static final BigDecimal FULL_RANGE = new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE));

  private final byte[] samplingPrefix; // id and a colon
  private final DestinationQueue queue;
  private volatile Policy policy;

  /**
   * The settings that may change.
   *
   * @param type its type, which a changed file may change
   * @param workspace the id of its workspace
   * @param samplingBound sessions whose unsigned position is below this are sampled; null to sample
   *     all
   * @param keys the keys whose calls are sent; null for all
   */
  private record Policy(
      DestinationType type,
      String workspace,
      boolean enabled,
      @Nullable Long samplingBound,
      @Nullable Set<KeyId> keys,
      CallFilter filter,
      Disclosure disclosure) {}

  ActiveDestination(String id, DestinationType type, DestinationQueue queue, String workspace) {
    this.samplingPrefix = (id + ":").getBytes(StandardCharsets.UTF_8);
    this.queue = queue;
    this.policy =
        new Policy(
            type, workspace, false, null, null, CallFilter.of(null), Disclosure.of(Json.Obj.EMPTY));
  }

  /** Applies these settings from the next call on. */
  void applySettings(
      DestinationType type, DestinationSelection destinationSelection, Disclosure disclosure) {
    policy =
        new Policy(
            type,
            policy.workspace(),
            destinationSelection.enabled(),
            samplingBound(destinationSelection.samplingRate()),
            destinationSelection.keys() == null ? null : Set.copyOf(destinationSelection.keys()),
            CallFilter.of(destinationSelection.filterRules()),
            disclosure);
    queue.setEnabled(destinationSelection.enabled());
  }

  /** Returns the first position that is not sampled, rounded up; null when all are sampled. */
  private static @Nullable Long samplingBound(BigDecimal rate) {
    BigDecimal share = rate.multiply(FULL_RANGE).setScale(0, RoundingMode.CEILING);
    return share.compareTo(FULL_RANGE) >= 0 ? null : share.toBigInteger().longValue();
  }

  DestinationQueue queue() {
    return queue;
  }

  String workspace() {
    return policy.workspace();
  }

  boolean isEnabled() {
    return policy.enabled() && queue.isUsable();
  }

  /**
   * Returns whether calls of a key in a session are sent, as far as this is known before they end.
   */
  boolean samples(List<KeyId> hashes, SampledSession session) {
    Policy current = policy;
    return current.enabled()
        && (current.keys() == null || hashes.stream().anyMatch(current.keys()::contains))
        && (current.samplingBound() == null
            || Long.compareUnsigned(session.position(samplingPrefix), current.samplingBound()) < 0);
  }

  /** Returns whether it needs the content of calls. */
  boolean needsContent() {
    Policy current = policy;
    return !current.disclosure().privacyMode() || current.filter().readsContent();
  }

  void offer(TracedCall call) {
    Policy current = policy;
    if (current.enabled() && current.filter().matches(call)) {
      queue.offer(call.disclosed(current.disclosure()));
    }
  }

  DestinationCounts counts() {
    Policy current = policy;
    return queue.counts(current.type().name(), current.workspace());
  }
}
