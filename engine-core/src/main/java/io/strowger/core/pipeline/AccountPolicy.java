package io.strowger.core.pipeline;

import io.strowger.core.authentication.Caller;
import io.strowger.core.config.ByokKey;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.routing.ByokKeyRef;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The account settings that apply to requests: rules, BYOK keys, default model and output limit.
 *
 * @param rules what the account allows
 * @param byokKeys the customer's own keys in the configuration
 * @param storedKeys the customer's own keys in the store, which change at run time
 * @param defaultModel the model for requests that name none; null if they must name one
 * @param defaultOutputTokens the tokens to hold when neither request nor endpoint has a limit
 * @param creditsUrl where callers can add credits; null when there is no such page
 */
public record AccountPolicy(
    CallerRules rules,
    List<ByokKey> byokKeys,
    ByokKeys storedKeys,
    @Nullable String defaultModel,
    int defaultOutputTokens,
    @Nullable String creditsUrl) {
  public AccountPolicy {
    byokKeys = List.copyOf(byokKeys);
  }

  /**
   * Returns the model for requests that name none; null when a request must name one.
   *
   * @param caller null for an anonymous caller
   */
  @Nullable String defaultModel(@Nullable Caller caller) {
    String callerDefault = caller == null ? null : caller.restrictions().defaultModel();
    return callerDefault == null ? defaultModel : callerDefault;
  }

  /**
   * Returns the customer's own keys that this caller may use, without their secrets.
   *
   * @param caller null for an anonymous caller
   */
  List<ByokKeyRef> keysFor(@Nullable Caller caller) {
    List<ByokKey> dynamicKeys = storedKeys.all();
    if (byokKeys.isEmpty() && dynamicKeys.isEmpty()) {
      return List.of();
    }
    return Stream.concat(byokKeys.stream(), dynamicKeys.stream())
        .filter(key -> admits(key.use().audience(), caller))
        .map(ByokKey::toRef)
        .toList();
  }

  private static boolean admits(ByokKey.KeyAudience keyAudience, @Nullable Caller caller) {
    return caller == null
        ? keyAudience.admitsAll()
        : keyAudience.admits(caller.hashes(), caller.user(), caller.workspace());
  }
}
