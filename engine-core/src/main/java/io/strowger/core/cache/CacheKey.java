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
 * @param caller the id of the caller's key; no other key gets the answer
 * @param allowed the caller's rules; after a change earlier answers are no longer found
 * @param models in order, as the caller named them
 * @param endpoint the dialect of the caller
 * @param body the SHA-256 of the body, the upstream features and the plugin settings
 */
public record CacheKey(
    KeyId caller,
    AccountRules allowed,
    String models,
    Dialect endpoint,
    boolean streaming,
    KeyId body) {
  public CacheKey {
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(models, "models");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(body, "body");
  }

  /**
   * Returns the key of a request.
   *
   * @param request the request with its preset merged in, after content filters
   * @param models the models it asks for, or the account's when it names none
   * @param plugins the plugin settings of the configuration
   */
  public static CacheKey of(
      KeyId caller,
      AccountRules allowed,
      InferenceRequest request,
      List<ModelRef> models,
      PluginSettings plugins) {
    return new CacheKey(
        caller,
        allowed,
        String.join(",", models.stream().map(ModelRef::toString).toList()),
        request.dialect(),
        request.streaming(),
        KeyId.of(RequestDigest.sha256(request, plugins)));
  }
}
