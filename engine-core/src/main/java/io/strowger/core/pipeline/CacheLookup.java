package io.strowger.core.pipeline;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CacheKey;
import io.strowger.core.cache.CacheOptions;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.cache.Recording;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.Meter;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The entry of the response cache for the answer to one request. The cache is read after the
 * content filters, so that the key covers the text that is sent, and before plugins, so that a
 * cached answer runs none of them. Resources fact sheet, section 9.
 */
record CacheLookup(ResponseCache cache, CacheKey key, CacheOptions cacheOptions, String id) {
  /**
   * Returns the entry for a request; null when its answer must not be cached: caching was not
   * requested or is off, the account demands zero data retention or filters answers, or the request
   * was not read from one JSON document alone. The request's own zero-data-retention preference
   * concerns upstreams and is not considered.
   */
  static @Nullable CacheLookup of(CallExchange exchange) {
    CacheOptions cacheOptions = exchange.cacheOptions();
    ResponseCache cache = exchange.engine().cache();
    InferenceRequest request = exchange.filteredRequest();
    if (cacheOptions == null
        || !cache.isOn()
        || request.members().size() == 0
        || request.upload() != null) {
      return null;
    }
    Caller caller = exchange.caller();
    AccountRules rules = exchange.snapshot().accountPolicy().rules().of(caller);
    if (!rules.zdr().isEmpty()) {
      return null;
    }
    ContentFilter filter = exchange.snapshot().accountPolicy().rules().filter(caller);
    if (filter != null && filter.answerInterceptor() != null) {
      return null; // answers cached before the filter was set were not filtered
    }
    CacheKey key =
        CacheKey.of(
            caller.key(),
            rules,
            request,
            exchange.models(),
            exchange.snapshot().plugins().settings());
    return new CacheLookup(cache, key, cacheOptions, exchange.id());
  }

  /** Returns the cached answer; null when there is none, or when the caller clears it. */
  @Nullable CachedAnswer find() {
    if (cacheOptions.clear()) {
      cache.remove(key);
      return null;
    }
    return cache.find(key);
  }

  CacheStatus status(@Nullable CachedAnswer answer) {
    return answer == null
        ? new CacheStatus(null, 0, cacheOptions.ttlSeconds())
        : cache.status(answer);
  }

  /** Returns an answer with the same events that is recorded, and cached when it completes. */
  Reply.MeteredAnswer recordForCache(Reply.MeteredAnswer answer, CallExchange exchange) {
    Recording recording = cache.startRecording();
    return new RecordedAnswer(answer, recording, () -> save(answer, recording, exchange));
  }

  /**
   * Caches the answer, unless it was not charged because it failed or was empty, or a budget cut it
   * short.
   */
  private void save(Reply.MeteredAnswer answer, Recording recording, CallExchange exchange) {
    StopReason reason = recording.reason();
    Bill bill = answer.bill();
    Endpoint endpoint = exchange.deliveryState().endpoint();
    boolean isInsured = bill != null && Meter.isInsured(bill.usage(), reason);
    boolean isCut = reason == StopReason.LENGTH && exchange.work().isCapped();
    if (endpoint != null && !isInsured && !isCut) {
      cache.store(key, recording, id, endpoint, cacheOptions.ttlSeconds());
    }
  }
}
