package io.strowger.core.record;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.meter.Bill;
import io.strowger.core.record.FinishedRequest.Try;
import io.strowger.core.record.GenerationRow.Finish;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the row of a finished request. Resources fact sheet, section 7. */
final class GenerationRowBuilder {
  private static final String ROUTERS = "router/";
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MAX_CHARS = 256;

  private final FinishedRequest finished;
  private final FinishedRequest.Ending ended;
  private final InferenceRequest request;
  private final List<Try> tries;
  private final @Nullable PlannedAttempt answeredBy;
  private final @Nullable Endpoint endpoint; // the one that answered, otherwise the last one tried

  private GenerationRowBuilder(
      FinishedRequest exchange, FinishedRequest.Ending how, List<Try> tries) {
    this.finished = exchange;
    this.ended = how;
    this.request = exchange.request();
    this.tries = tries;
    this.answeredBy = exchange.answeringCandidate();
    this.endpoint = answeredBy != null ? answeredBy.endpoint() : lastTried(how, tries);
  }

  private static @Nullable Endpoint lastTried(FinishedRequest.Ending how, List<Try> tries) {
    CachedAnswer replayed = how.replayed();
    return !tries.isEmpty()
        ? tries.getLast().endpoint()
        : replayed == null ? null : replayed.endpoint();
  }

  /**
   * Returns the row of a request that ended.
   *
   * @param tries its attempts
   */
  static GenerationRow of(FinishedRequest exchange, FinishedRequest.Ending how, List<Try> tries) {
    var record = new GenerationRowBuilder(exchange, how, tries);
    List<CallRecord.BillLine> lines = exchange.lines();
    return new GenerationRow(
        record.identity(),
        record.route(),
        record.ending(),
        record.counts(lines),
        record.money(lines),
        new GenerationRow.Sender(record.request.origin(), truncated(record.request.user())));
  }

  private GenerationRow.Identity identity() {
    FinishedRequest.Turn last = finished.lastAnsweredTurn();
    return new GenerationRow.Identity(
        last == null ? null : truncated(last.transcript().upstreamId()),
        request.sessionId(),
        request.origin().preset(),
        finished.caller().workspace());
  }

  private GenerationRow.Route route() {
    String requested = finished.requested();
    String router = requested.startsWith(ROUTERS) ? requested : null;
    var responses = new ArrayList<GenerationRow.Response>(tries.size());
    for (Try one : tries) {
      responses.add(response(one));
    }
    return endpoint == null
        ? new GenerationRow.Route(null, router, null, null, null, responses)
        : new GenerationRow.Route(
            endpoint.model(),
            router,
            endpoint.provider().name(),
            endpoint.provider().region(),
            endpoint.serviceTier(),
            responses);
  }

  private GenerationRow.Response response(Try one) {
    boolean delivered = one.attempted().failure() == null;
    Endpoint served = one.endpoint();
    return new GenerationRow.Response(
        delivered ? truncated(one.turn().transcript().upstreamId()) : null,
        one.attempted().endpoint(),
        served == null ? null : served.provider().name(),
        served == null ? null : served.model(),
        one.attempted().status(),
        one.attempted().nanos() / NANOS_PER_MILLI,
        one.attempted().byokKey() != null,
        served == null ? null : served.serviceTier(),
        new GenerationRow.Paid(one.line().cost(), truncated(one.turn().innerCall())));
  }

  private GenerationRow.Ending ending() {
    FinishedRequest.Turn last = finished.lastAnsweredTurn();
    return new GenerationRow.Ending(
        request.streaming(),
        ended.outcome() == CallRecord.Outcome.CANCELLED,
        finish(ended.stopReason()),
        last == null ? null : truncated(last.transcript().nativeReason()),
        answeredBy != null && answeredBy.byokKey() != null,
        ended.refused() ? -1 : millis(finished.firstContentNanos()),
        millis(generationNanos()),
        request.kind());
  }

  private @Nullable Finish finish(@Nullable StopReason reason) {
    return switch (reason) {
      case null -> ended.outcome() == CallRecord.Outcome.ERROR ? Finish.ERROR : null;
      case END, STOP_SEQUENCE, PAUSE, COMPACTION -> Finish.STOP;
      case LENGTH, CONTEXT_WINDOW -> Finish.LENGTH;
      case TOOL_CALLS -> Finish.TOOL_CALLS;
      case CONTENT_FILTER, REFUSAL -> Finish.CONTENT_FILTER;
      case ERROR -> Finish.ERROR;
    };
  }

  /** Returns the time from dispatch of the first answer to the end of the last, or -1. */
  private long generationNanos() {
    long from = -1;
    long to = -1;
    for (FinishedRequest.Turn turn : finished.turns()) {
      AttemptLoop.Outcome.Delivers delivers = turn.delivers();
      if (delivers != null) {
        from = from < 0 ? delivers.dispatchedNanos() : from;
        to = turn.endedNanos();
      }
    }
    return from < 0 ? -1 : to - from;
  }

  private static long millis(long nanos) {
    return nanos < 0 ? -1 : nanos / NANOS_PER_MILLI;
  }

  private GenerationRow.Counts counts(List<CallRecord.BillLine> lines) {
    Usage usage = Usage.NONE;
    for (CallRecord.BillLine billLine : lines) {
      usage = usage.plus(billLine.usage());
    }
    var media = new Media();
    request.messages().forEach(media::count);
    return new GenerationRow.Counts(
        usage.promptTokens(),
        usage.completionTokens(),
        usage.reasoning(),
        usage.cacheRead(),
        media.visualParts,
        usage.images(),
        media.audioParts,
        usage.searches() == 0 ? -1 : pages());
  }

  /**
   * Returns the number of cited pages. Other results of a provider's own searches are not known.
   */
  private long pages() {
    return finished.turns().stream().mapToLong(turn -> turn.transcript().citedPageCount()).sum();
  }

  /** Counts the media of a prompt. */
  private static final class Media {
    private long visualParts;
    private long audioParts;

    void count(Message message) {
      message.parts().forEach(this::count);
    }

    private void count(Part part) {
      switch (part) {
        case Part.Image p -> visualParts++;
        case Part.Video p -> visualParts++;
        case Part.File p -> visualParts++;
        case Part.Audio p -> audioParts++;
        case Part.ToolResult result -> result.content().forEach(this::count);
        case Part.Text p -> {}
        case Part.ToolCall p -> {}
        case Part.Thinking p -> {}
        case Part.Refusal p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.ServerToolRun p -> {}
        case Part.Unknown p -> {}
      }
    }
  }

  private GenerationRow.Money money(List<CallRecord.BillLine> lines) {
    Usd upstream = Usd.ZERO;
    long saved = 0;
    boolean cached = false;
    for (FinishedRequest.Turn turn : finished.turns()) {
      Bill bill = turn.bill();
      AttemptLoop.Outcome.Delivers delivers = turn.delivers();
      if (bill != null && delivers != null) {
        upstream = upstream.plus(bill.prompt()).plus(bill.completion());
        Usage usage = bill.usage();
        cached |= usage.cacheRead() + usage.cacheWrite5m() + usage.cacheWrite1h() > 0;
        saved += saved(usage, delivers.candidate().endpoint());
      }
    }
    Usd cost = Usd.ZERO;
    for (CallRecord.BillLine billLine : lines) {
      cost = cost.plus(billLine.cost());
    }
    CachedAnswer replayed = ended.replayed();
    return new GenerationRow.Money(
        cost,
        upstream,
        cached ? Usd.ofPicos(saved) : null,
        replayed == null ? null : replayed.sourceId());
  }

  /** Returns picodollars saved by caching; negative when writing cost more than was saved. */
  private long saved(Usage usage, Endpoint served) {
    Pricing pricing = served.pricing().effective(usage.promptTokens(), finished.arrivedAt());
    long fresh = pricing.picos(Price.PROMPT);
    return usage.cacheRead() * (fresh - pricing.picos(Price.INPUT_CACHE_READ))
        + usage.cacheWrite5m() * (fresh - pricing.picos(Price.INPUT_CACHE_WRITE))
        + usage.cacheWrite1h() * (fresh - pricing.picos(Price.INPUT_CACHE_WRITE_1H));
  }

  /** Truncates a text, since a caller or an upstream may send megabytes. */
  private static @Nullable String truncated(@Nullable String text) {
    return text == null ? null : ShortText.beginning(text, MAX_CHARS);
  }
}
