package io.strowger.core.flow;

import io.strowger.core.account.Caller;
import io.strowger.core.cache.CacheKey;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.cache.Caching;
import io.strowger.core.cache.Recording;
import io.strowger.core.cache.ResponseCache;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.Meter;
import io.strowger.core.routing.AccountRules;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * Where the answer to one request is in the response cache, or will be. Behind the filters, so that
 * it is of the words that are sent; before plugins, so that a second answer asks none of them.
 * Resources fact sheet, section 9.
 */
record CachePlace(ResponseCache cache, CacheKey key, Caching caching, String id) {
  /**
   * The place of a request; null when its answer is not to be cached: nobody asked for it, there is
   * no room at all, the account wants nothing retained or its filters look through answers, or the
   * request was not read from a document, or not from that alone. That the request wants nothing
   * retained upstream makes no difference.
   */
  static @Nullable CachePlace of(Exchange exchange) {
    Caching caching = exchange.caching();
    ResponseCache cache = exchange.engine().cache();
    InferenceRequest request = exchange.request();
    if (caching == null
        || !cache.isOn()
        || request.members().size() == 0
        || request.upload() != null) {
      return null;
    }
    Caller caller = exchange.caller();
    AccountRules rules = exchange.snapshot().terms().rules().of(caller);
    if (!rules.zdr().isEmpty()) {
      return null;
    }
    ContentFilter filter = exchange.snapshot().terms().rules().filter(caller);
    if (filter != null && filter.answers() != null) {
      return null; // what was kept before the filter was set has not been looked through
    }
    CacheKey key =
        CacheKey.of(
            caller.key(),
            rules,
            request,
            exchange.models(),
            exchange.snapshot().plugins().settings());
    return new CachePlace(cache, key, caching, exchange.id());
  }

  /** What is there; null when nothing is, or when it is to be forgotten. */
  @Nullable CachedAnswer find() {
    if (caching.clear()) {
      cache.forget(key);
      return null;
    }
    return cache.find(key);
  }

  CacheStatus status(@Nullable CachedAnswer found) {
    return found == null ? new CacheStatus(null, 0, caching.ttlSeconds()) : cache.status(found);
  }

  /** The same answer, which is kept when it ends well. */
  Reply.Begun recordedForCache(Reply.Begun answer, Exchange exchange) {
    Recording recording = cache.recording();
    return new RecordedAnswer(answer, recording, () -> keep(answer, recording, exchange));
  }

  /**
   * Not an answer nobody pays since it was none, nor one that is shorter than it would be had there
   * been more money.
   */
  private void keep(Reply.Begun answer, Recording recording, Exchange exchange) {
    StopReason reason = recording.reason();
    Bill bill = answer.bill();
    Endpoint by = exchange.delivery().endpoint();
    boolean insured = bill != null && Meter.insured(bill.usage(), reason);
    boolean cut = reason == StopReason.LENGTH && exchange.isCapped();
    if (by != null && !insured && !cut) {
      cache.keep(key, recording, id, by, caching.ttlSeconds());
    }
  }
}
