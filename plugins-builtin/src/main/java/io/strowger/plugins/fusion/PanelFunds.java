package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.store.Hold;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds the money for a panel, its analyst and the final answer. Confined to one thread. */
final class PanelFunds {
  private final Chain chain;
  private final Map<String, Hold> holds = new LinkedHashMap<>(); // by the name of the call
  private final Set<String> unservedCalls = new HashSet<>();

  PanelFunds(Chain chain) {
    this.chain = chain;
  }

  /** Returns whether a request was refused because credits or a budget are used up. */
  static boolean isOutOfMoney(GatewayException e) {
    ErrorCode code = e.error().code();
    return code == ErrorCode.PAYMENT_REQUIRED || code == ErrorCode.BUDGET_EXCEEDED;
  }

  /**
   * Sets money aside for a call. No money is set aside for a call that no endpoint serves at its
   * assumed length: the real call may be shorter, and the panel is useful without that call.
   *
   * @return false when there is not enough money
   * @throws GatewayException when the gateway itself fails
   */
  boolean reserve(InnerCall call) {
    try {
      holds.put(call.name(), chain.reserve(call));
    } catch (GatewayException e) {
      if (isOutOfMoney(e)) {
        return false;
      }
      if (e.error().code().blame() == ErrorCode.Blame.ENGINE) {
        throw e;
      }
      if (unservedCalls.add(call.name())) {
        chain.note(
            "no money is set aside for the call " + call.name() + ": " + e.error().message());
      }
    }
    return true;
  }

  /** Returns the money that a call needs; zero when no endpoint serves it. */
  Usd minimumReservation(InnerCall call) {
    try {
      return chain.minimumReservation(call);
    } catch (GatewayException e) {
      return Usd.ZERO;
    }
  }

  boolean has(InnerCall call) {
    return holds.containsKey(call.name());
  }

  /** Removes and returns the hold of a call; null when none is set aside. */
  @Nullable Hold take(InnerCall call) {
    return holds.remove(call.name());
  }

  /** Releases the holds that were not taken. */
  void release() {
    holds.values().forEach(Hold::release);
    holds.clear();
  }
}
