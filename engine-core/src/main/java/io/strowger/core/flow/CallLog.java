package io.strowger.core.flow;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.decisionlog.Decision;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be told of one request: to its caller as a {@link Delivery}, to the sinks as a {@link
 * CallRecord}. Written by the request's thread until its answer begins, read by any after.
 */
final class CallLog {
  private final Engine engine;
  private final Received received;
  private final Snapshot snapshot;
  private final List<TraceEntry> notes = new ArrayList<>();
  private @Nullable RoutePlan plan;
  private @Nullable RoutingQuery query;
  private Statistics statistics = Statistics.NONE;

  CallLog(Engine engine, Received received, Snapshot snapshot) {
    this.engine = engine;
    this.received = received;
    this.snapshot = snapshot;
  }

  void note(TraceEntry entry) {
    notes.add(entry);
  }

  void decided(RoutingQuery asked, Statistics fared, RoutePlan decision) {
    query = asked;
    statistics = fared;
    plan = decision;
  }

  /** What became of the decision, if there was one and somebody wants to know. */
  private void became(
      List<TraceEntry> attempts, CallRecord.Outcome outcome, @Nullable ErrorCode error) {
    DecisionLog decisions = engine.decisions();
    if (decisions != null && query != null && plan != null) {
      var ending = new Decision.Ending(attempts, outcome, error);
      Engine.record(
          new Decision(received.id(), snapshot.catalog(), statistics, query, plan, ending),
          decisions);
    }
  }

  /** Records a request nobody answered. */
  Reply.Refused refused(GatewayError error, boolean cancelled, List<TraceEntry> attempts) {
    var lines = new ArrayList<CallRecord.Line>();
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        lines.add(free(attempted));
      }
    }
    var outcome = cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
    engine.observe(record(outcome, lines, attempts).error(error.code()).build());
    became(attempts, outcome, error.code());
    return new Reply.Refused(
        received.id(),
        received.createdSeconds(),
        error,
        new Delivery(models(), snapshot.catalog(), plan, events(attempts), null, lines.size(), -1));
  }

  /** Records an answer that has ended. */
  void ended(AttemptLoop.Outcome.Delivers delivers, MeteredAnswer.End end) {
    var lines = new ArrayList<CallRecord.Line>();
    for (TraceEntry entry : delivers.attempts()) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        lines.add(attempted.failure() == null ? billed(attempted, end) : free(attempted));
      }
    }
    engine.observe(
        record(end.outcome(), lines, told(delivers))
            .endpoint(delivers.candidate().endpoint().id())
            .stopReason(end.stopReason())
            .error(end.error())
            .firstContentNanos(delivers.firstContentNanos() - received.nanos())
            .build());
    became(delivers.attempts(), end.outcome(), end.error());
  }

  private static CallRecord.Line billed(TraceEntry.Attempted attempted, MeteredAnswer.End end) {
    return new CallRecord.Line(attempted.endpoint(), end.bill().usage(), end.bill().total());
  }

  private static CallRecord.Line free(TraceEntry.Attempted attempted) {
    return new CallRecord.Line(attempted.endpoint(), Usage.NONE, Usd.ZERO);
  }

  private CallRecord.Builder record(
      CallRecord.Outcome outcome, List<CallRecord.Line> lines, List<TraceEntry> attempts) {
    return CallRecord.builder(received.id(), received.at(), outcome)
        .keyName(received.caller().name())
        .requested(requested())
        .lines(lines)
        .plan(plan)
        .attempts(events(attempts))
        .totalNanos(engine.ambient().nanoTime() - received.nanos());
  }

  /** How the request is served as of now. */
  Delivery delivery(AttemptLoop.Outcome.Delivers delivers, MeteredAnswer answer) {
    return new Delivery(
        models(),
        snapshot.catalog(),
        plan,
        events(told(delivers)),
        delivers.candidate(),
        delivers.number(),
        answer.endedNanos() - delivers.dispatchedNanos());
  }

  /** The attempts, and what the one that delivers lost in translation. */
  private static List<TraceEntry> told(AttemptLoop.Outcome.Delivers delivers) {
    if (delivers.losses().isEmpty()) {
      return delivers.attempts();
    }
    var all = new ArrayList<>(delivers.attempts());
    all.add(new TraceEntry.Translated(delivers.candidate().endpoint().id(), delivers.losses()));
    return all;
  }

  private List<TraceEntry> events(List<TraceEntry> attempts) {
    var all = new ArrayList<TraceEntry>(notes);
    all.addAll(attempts);
    return all;
  }

  private List<ModelRef> models() {
    return Question.models(received.request(), snapshot.terms());
  }

  private String requested() {
    List<ModelRef> models = models();
    return models.isEmpty() ? "" : models.get(0).toString();
  }
}
