package io.strowger.core.pipeline;

import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.destination.Broadcast;
import io.strowger.core.meter.Bill;
import io.strowger.core.record.CallObservation;
import io.strowger.core.record.CallTraceFactory;
import io.strowger.core.record.FinishedRequest.Ending;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.observe.CallRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a request that is over. Sinks receive a record of it, the decision log receives its
 * decisions, and observability destinations receive a trace of it. A request of a batch that
 * another node has billed is reported to the decision log only.
 *
 * <p>The thread that takes the later of the two final steps of {@link CallExchange} sends the
 * report, once.
 */
record CallReport(CallExchange exchange, Ending ending) {
  private static final Logger log = LoggerFactory.getLogger(CallReport.class);

  /** Sends the report to sinks, the decision log and destinations, in this order. Call once. */
  static void send(CallExchange exchange, Ending ending) {
    var report = new CallReport(exchange, ending);
    CallObservation observation = exchange.observation();
    if (observation != null && !exchange.isBillingRefused()) {
      exchange.engine().observers().callEnded(report.record(observation), observation.span());
    }
    DecisionLog decisionLog = exchange.engine().decisionLog();
    if (decisionLog != null) {
      report.logDecisions(decisionLog);
    }
    Broadcast broadcast = exchange.broadcast();
    if (broadcast != null && !exchange.isBillingRefused()) {
      report.sendTo(broadcast);
    }
  }

  private void sendTo(Broadcast broadcast) {
    try {
      broadcast.send(
          CallTraceFactory.of(exchange, ending),
          broadcast.needsContent() ? CallTraceFactory.content(exchange, ending) : null);
    } catch (RuntimeException | Error bug) {
      log.error(
          "request {} could not be exported to observability destinations", exchange.id(), bug);
    }
  }

  private void logDecisions(DecisionLog decisionLog) {
    int number = 0;
    for (RoutedTurn turn : exchange.turns()) {
      number++;
      TurnDecision decision = turn.decision();
      if (decision.query() instanceof RoutingQuery query
          && decision.plan() instanceof RoutePlan plan) {
        Bill bill = turn.bill();
        var decisionEnding =
            new LoggedDecision.Ending(
                turn.attempts(),
                ending.outcome(),
                ending.error(),
                bill == null ? null : bill.usage());
        log(
            new LoggedDecision(
                number == 1 ? exchange.id() : exchange.id() + "." + number,
                exchange.snapshot().catalog(),
                decision.statistics(),
                query,
                plan,
                decisionEnding),
            decisionLog);
      }
    }
  }

  /** Passes a decision to the decision log. A failure there is only reported to the logger. */
  private static void log(LoggedDecision decision, DecisionLog decisionLog) {
    try {
      decisionLog.accept(decision);
    } catch (RuntimeException | Error e) {
      log.error("the decision log failed on {}", decision.id(), e);
    }
  }

  private CallRecord record(CallObservation observation) {
    CallWork work = exchange.work();
    CachedAnswer cachedAnswer = ending.cachedAnswer();
    RoutedTurn first = work.firstTurn();
    RoutePlan plan = first == null ? null : first.decision().plan();
    CallRecord.Builder record =
        CallRecord.builder(exchange.id(), exchange.arrivedAt(), ending.outcome())
            .keyName(exchange.caller().name())
            .requestedModel(exchange.requestedModel())
            .billLines(work.billLines())
            .decisionTrace(plan == null ? null : plan::trace)
            .kind(exchange.receivedRequest().kind())
            .attemptTrace(cachedAnswer == null ? work.trace() : work.notes())
            .attempts(observation.attempts(ending.endedNanos()))
            .steps(observation.steps())
            .batch(exchange.isOfBatch())
            .stopReason(ending.stopReason())
            .error(ending.error())
            .totalNanos(ending.endedNanos() - exchange.arrivedNanos());
    if (cachedAnswer != null) {
      return record
          .endpoint(cachedAnswer.endpoint().id())
          .cachedGeneration(cachedAnswer.sourceId())
          .build();
    }
    PlannedAttempt candidate = exchange.answeringCandidate();
    if (candidate != null && !ending.refused()) {
      record.endpoint(candidate.endpoint().id()).firstContentNanos(exchange.firstContentNanos());
    }
    return record.build();
  }
}
