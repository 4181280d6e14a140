package io.strowger.core.record;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.meter.Bill;
import io.strowger.core.record.FinishedRequest.TurnAttempt;
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
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the row of a finished request. Resources fact sheet, section 7. */
final class GenerationRowBuilder {
  private static final String ROUTER_PREFIX = "router/";
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MAX_CHARS = 256;

  private final FinishedRequest finishedRequest;
  private final FinishedRequest.Ending ending;
  private final InferenceRequest request;
  private final List<TurnAttempt> attempts;
  private final @Nullable PlannedAttempt answeringCandidate;
  private final @Nullable Endpoint endpoint; // the one that answered, otherwise the last one tried

  private GenerationRowBuilder(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending, List<TurnAttempt> attempts) {
    this.finishedRequest = finishedRequest;
    this.ending = ending;
    this.request = finishedRequest.filteredRequest();
    this.attempts = attempts;
    this.answeringCandidate = finishedRequest.answeringCandidate();
    this.endpoint =
        answeringCandidate != null ? answeringCandidate.endpoint() : lastEndpoint(ending, attempts);
  }

  private static @Nullable Endpoint lastEndpoint(
      FinishedRequest.Ending ending, List<TurnAttempt> attempts) {
    CachedAnswer cachedAnswer = ending.cachedAnswer();
    return !attempts.isEmpty()
        ? attempts.getLast().endpoint()
        : cachedAnswer == null ? null : cachedAnswer.endpoint();
  }

  /**
   * Returns the row of a request that ended.
   *
   * @param attempts the request's attempts
   */
  static GenerationRow of(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending, List<TurnAttempt> attempts) {
    var builder = new GenerationRowBuilder(finishedRequest, ending, attempts);
    List<CallRecord.BillLine> lines = finishedRequest.billLines();
    return new GenerationRow(
        builder.identity(),
        builder.route(),
        builder.ending(),
        builder.counts(lines),
        builder.money(lines),
        new GenerationRow.Sender(builder.request.origin(), truncated(builder.request.user())));
  }

  private GenerationRow.Identity identity() {
    FinishedRequest.Turn last = finishedRequest.lastAnsweredTurn();
    return new GenerationRow.Identity(
        last == null ? null : truncated(last.transcript().upstreamId()),
        request.sessionId(),
        request.origin().preset(),
        finishedRequest.caller().workspace());
  }

  private GenerationRow.Route route() {
    String requested = finishedRequest.requestedModel();
    String router = requested.startsWith(ROUTER_PREFIX) ? requested : null;
    var responses = new ArrayList<GenerationRow.Response>(attempts.size());
    for (TurnAttempt attempt : attempts) {
      responses.add(response(attempt));
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

  private GenerationRow.Response response(TurnAttempt attempt) {
    boolean isDelivered = attempt.traceEntry().failure() == null;
    Endpoint servingEndpoint = attempt.endpoint();
    return new GenerationRow.Response(
        isDelivered ? truncated(attempt.turn().transcript().upstreamId()) : null,
        attempt.traceEntry().endpoint(),
        servingEndpoint == null ? null : servingEndpoint.provider().name(),
        servingEndpoint == null ? null : servingEndpoint.model(),
        attempt.traceEntry().status(),
        attempt.traceEntry().nanos() / NANOS_PER_MILLI,
        attempt.traceEntry().byokKey() != null,
        servingEndpoint == null ? null : servingEndpoint.serviceTier(),
        new GenerationRow.AttemptCost(
            attempt.billLine().cost(), truncated(attempt.turn().innerCall())));
  }

  private GenerationRow.Ending ending() {
    FinishedRequest.Turn last = finishedRequest.lastAnsweredTurn();
    return new GenerationRow.Ending(
        request.streaming(),
        ending.outcome() == CallRecord.Outcome.CANCELLED,
        Finish.of(ending),
        last == null ? null : truncated(last.transcript().nativeReason()),
        answeringCandidate != null && answeringCandidate.byokKey() != null,
        ending.refused() ? -1 : millis(finishedRequest.firstContentNanos()),
        millis(generationNanos()),
        request.kind());
  }

  /**
   * Returns the nanoseconds from the dispatch of the first attempt that was answered to the end of
   * the last answer; -1 without an answer.
   */
  private long generationNanos() {
    long startNanos = -1;
    long endNanos = -1;
    for (FinishedRequest.Turn turn : finishedRequest.turns()) {
      AttemptLoop.Outcome.Delivery delivery = turn.delivery();
      if (delivery != null) {
        startNanos = startNanos < 0 ? delivery.dispatchedNanos() : startNanos;
        endNanos = turn.endedNanos();
      }
    }
    return startNanos < 0 ? -1 : endNanos - startNanos;
  }

  private static long millis(long nanos) {
    return nanos < 0 ? -1 : nanos / NANOS_PER_MILLI;
  }

  private GenerationRow.Counts counts(List<CallRecord.BillLine> lines) {
    Usage usage = Usage.NONE;
    for (CallRecord.BillLine billLine : lines) {
      usage = usage.plus(billLine.usage());
    }
    var media = new MediaCounter();
    request.messages().forEach(media::count);
    return new GenerationRow.Counts(
        usage.promptTokens(),
        usage.completionTokens(),
        usage.reasoning(),
        usage.cacheRead(),
        media.visualParts,
        usage.images(),
        media.audioParts,
        usage.searches() == 0 ? -1 : citedPageCount());
  }

  /**
   * Returns the number of cited pages. Other results of a provider's own searches are not known.
   */
  private long citedPageCount() {
    return finishedRequest.turns().stream()
        .mapToLong(turn -> turn.transcript().citedPageCount())
        .sum();
  }

  /** Counts the media of a prompt. */
  private static final class MediaCounter {
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
    long savedPicos = 0;
    boolean usedCache = false;
    for (FinishedRequest.Turn turn : finishedRequest.turns()) {
      Bill bill = turn.bill();
      AttemptLoop.Outcome.Delivery delivery = turn.delivery();
      if (bill != null && delivery != null) {
        upstream = upstream.plus(bill.upstreamCost());
        Usage usage = bill.usage();
        usedCache |= usage.cacheRead() + usage.cacheWrite5m() + usage.cacheWrite1h() > 0;
        savedPicos += savedPicos(usage, delivery.candidate().endpoint());
      }
    }
    Usd cost = Usd.ZERO;
    for (CallRecord.BillLine billLine : lines) {
      cost = cost.plus(billLine.cost());
    }
    CachedAnswer cachedAnswer = ending.cachedAnswer();
    return new GenerationRow.Money(
        cost,
        upstream,
        usedCache ? Usd.ofPicos(savedPicos) : null,
        cachedAnswer == null ? null : cachedAnswer.sourceId());
  }

  /** Returns picodollars saved by caching; negative when writing cost more than was saved. */
  private long savedPicos(Usage usage, Endpoint servingEndpoint) {
    Pricing pricing =
        servingEndpoint.pricing().effective(usage.promptTokens(), finishedRequest.arrivedAt());
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
