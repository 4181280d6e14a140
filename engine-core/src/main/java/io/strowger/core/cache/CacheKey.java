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
 * What two requests have in common that get the same answer: who asks, what that key is allowed,
 * for which models, over which endpoint, as a stream or not, the whole body, and the features asked
 * of the upstream. Holds nothing of the request but that.
 *
 * @param caller the key; an answer never goes to another one
 * @param allowed once this changes no answer from before is given: nobody may have the model now
 * @param models in order, as the caller named them
 * @param endpoint the dialect of the caller
 * @param body SHA-256 of the body, the upstream features and what is said of plugins
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
   * @param request as it was read, preset merged in, and filtered
   * @param models what it asks for, also when it leaves that to the account
   * @param plugins what the configuration says of them
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
