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
  private static final BigDecimal ALL = new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE));

  private final byte[] sampledBy; // id and a colon
  private final DestinationType type;
  private final DestinationQueue queue;
  private volatile Rules rules;

  /**
   * The settings that may change.
   *
   * @param workspace the id of its workspace
   * @param below sessions whose unsigned position is below this are sampled; null to sample all
   * @param keys the keys whose calls are sent; null for all
   */
  private record Rules(
      String workspace,
      boolean enabled,
      @Nullable Long below,
      @Nullable Set<KeyId> keys,
      CallFilter filter,
      Disclosure disclosure) {}

  ActiveDestination(String id, DestinationType type, DestinationQueue queue, String workspace) {
    this.sampledBy = (id + ":").getBytes(StandardCharsets.UTF_8);
    this.type = type;
    this.queue = queue;
    this.rules =
        new Rules(workspace, false, null, null, CallFilter.of(null), Disclosure.of(Json.Obj.EMPTY));
  }

  /** Applies these settings from the next call on. */
  void follow(DestinationSelection destinationSelection, Disclosure disclosure) {
    rules =
        new Rules(
            rules.workspace(),
            destinationSelection.enabled(),
            below(destinationSelection.samplingRate()),
            destinationSelection.keys() == null ? null : Set.copyOf(destinationSelection.keys()),
            CallFilter.of(destinationSelection.filterRules()),
            disclosure);
    queue.enable(destinationSelection.enabled());
  }

  /** Returns the first position that is not sampled, rounded up; null when all are sampled. */
  private static @Nullable Long below(BigDecimal rate) {
    BigDecimal share = rate.multiply(ALL).setScale(0, RoundingMode.CEILING);
    return share.compareTo(ALL) >= 0 ? null : share.toBigInteger().longValue();
  }

  DestinationQueue queue() {
    return queue;
  }

  String workspace() {
    return rules.workspace();
  }

  boolean isEnabled() {
    return rules.enabled() && queue.isUsable();
  }

  /**
   * Returns whether calls of a key in a session are sent, as far as this is known before they end.
   */
  boolean samples(List<KeyId> hashes, SampledSession session) {
    Rules now = rules;
    return now.enabled()
        && (now.keys() == null || hashes.stream().anyMatch(now.keys()::contains))
        && (now.below() == null
            || Long.compareUnsigned(session.position(sampledBy), now.below()) < 0);
  }

  /** Returns whether it needs the content of calls. */
  boolean needsContent() {
    Rules now = rules;
    return !now.disclosure().privacyMode() || now.filter().readsContent();
  }

  void offer(TracedCall call) {
    Rules now = rules;
    if (now.enabled() && now.filter().matches(call)) {
      queue.offer(call.disclosed(now.disclosure()));
    }
  }

  DestinationCounts counts() {
    return queue.counts(type.name(), workspace());
  }
}
