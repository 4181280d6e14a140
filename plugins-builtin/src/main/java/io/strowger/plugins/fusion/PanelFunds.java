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

/** The money that is set aside for a panel and for what follows it. For one thread. */
final class PanelFunds {
  private final Chain chain;
  private final Map<String, Hold> holds = new LinkedHashMap<>(); // by the name of the call
  private final Set<String> unserved = new HashSet<>();

  PanelFunds(Chain chain) {
    this.chain = chain;
  }

  /** Whether a budget is spent: of the key or the account, or of a guardrail or a workspace. */
  static boolean isMoney(GatewayException refused) {
    ErrorCode code = refused.error().code();
    return code == ErrorCode.PAYMENT_REQUIRED || code == ErrorCode.BUDGET_EXCEEDED;
  }

  /**
   * Sets money aside for a call. A call that no endpoint serves, as long as it is assumed to be
   * here, gets none: its real form may be served, and the panel is worth something without it.
   *
   * @return false when there is not enough money
   * @throws GatewayException when the gateway cannot say
   */
  boolean reserve(InnerCall call) {
    try {
      holds.put(call.name(), chain.reserve(call));
    } catch (GatewayException refused) {
      if (isMoney(refused)) {
        return false;
      }
      if (refused.error().code().blame() == ErrorCode.Blame.ENGINE) {
        throw refused;
      }
      if (unserved.add(call.name())) {
        chain.note(
            "no money is set aside for the call " + call.name() + ": " + refused.error().message());
      }
    }
    return true;
  }

  /** The least that must be left for a call; nothing for one that no endpoint serves. */
  Usd price(InnerCall call) {
    try {
      return chain.price(call);
    } catch (GatewayException refused) {
      return Usd.ZERO;
    }
  }

  boolean has(InnerCall call) {
    return holds.containsKey(call.name());
  }

  /** Gives the money of a call to whoever makes it; null when none is set aside. */
  @Nullable Hold take(InnerCall call) {
    return holds.remove(call.name());
  }

  /** Gives back what was not taken. */
  void release() {
    holds.values().forEach(Hold::release);
    holds.clear();
  }
}
