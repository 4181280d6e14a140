package io.strowger.core.cache;

import io.strowger.core.config.PluginSettings;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.store.KeyId;
import java.util.List;
import java.util.Objects;

/**
 * Identifies requests that get the same answer: the caller's key, its rules, the models, the
 * dialect, whether the answer is streamed, and a digest of the body, the features requested of the
 * upstream and the plugin settings. Holds nothing else of the request.
 *
 * @param callerKey the id of the caller's key; no other key gets the answer
 * @param rules the caller's rules; after a change earlier answers are no longer found
 * @param models in order, as the caller named them
 * @param dialect the dialect of the caller
 * @param bodyDigest the SHA-256 of the body, the upstream features and the plugin settings
 */
public record CacheKey(
    KeyId callerKey,
    AccountRules rules,
    String models,
    Dialect dialect,
    boolean streaming,
    KeyId bodyDigest) {
  public CacheKey {
    Objects.requireNonNull(callerKey, "callerKey");
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(models, "models");
    Objects.requireNonNull(dialect, "dialect");
    Objects.requireNonNull(bodyDigest, "bodyDigest");
  }

  /**
   * Returns the key of a request.
   *
   * @param request the request with its preset merged in, after content filters
   * @param models the models it asks for, or the account's when it names none
   * @param plugins the plugin settings of the configuration
   */
  public static CacheKey of(
      KeyId callerKey,
      AccountRules rules,
      InferenceRequest request,
      List<ModelRef> models,
      PluginSettings plugins) {
    return new CacheKey(
        callerKey,
        rules,
        String.join(",", models.stream().map(ModelRef::toString).toList()),
        request.dialect(),
        request.streaming(),
        KeyId.of(RequestDigest.sha256(request, plugins)));
  }
}
