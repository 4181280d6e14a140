package io.strowger.core.flow;

import io.strowger.core.account.Funds;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.decisionlog.Decision;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be told of one request: to its caller as a {@link Delivery}, to the sinks as a {@link
 * CallRecord}. Safe on any thread.
 */
final class CallLog {
  private static final Logger log = LoggerFactory.getLogger(CallLog.class);
  private static final Bill NOTHING = new Bill(Usage.NONE, Usd.ZERO, Usd.ZERO, Usd.ZERO);

  private final Engine engine;
  private volatile Received received;
  private final Snapshot snapshot;
  private final List<TraceEntry> notes = new CopyOnWriteArrayList<>(); // few, read at the end
  private volatile List<TraceEntry.Note> inactive = List.of();
  private final List<Turn> turns = new CopyOnWriteArrayList<>();
  private final AtomicReference<List<PaidAct>> acts = new AtomicReference<>(List.of());
  private final AtomicInteger numbers = new AtomicInteger(); // of attempts and paid acts
  private volatile @Nullable Witness shown;
  private volatile boolean over;

  CallLog(Engine engine, Received received, Snapshot snapshot) {
    this.engine = engine;
    this.received = received;
    this.snapshot = snapshot;
  }

  /** The request goes on like this: what was taken out of it is told nobody. */
  void asks(Received filtered) {
    received = filtered;
  }

  /** The caller gets something else than what an upstream said: this one hears it. */
  void shows(Witness what) {
    shown = what;
  }

  void note(TraceEntry entry) {
    notes.add(entry);
  }

  /**
   * Tells of plugins that were asked for and do nothing: the trace, the caller and the log. The log
   * hears of one that runs by default once, not with every request.
   */
  void inactive(List<TraceEntry.Note> plugins) {
    if (plugins.isEmpty()) {
      return;
    }
    inactive = List.copyOf(plugins);
    notes.addAll(plugins);
    var news = new ArrayList<String>();
    for (TraceEntry.Note one : plugins) {
      if (Engine.names(received.request(), one.source())
          || engine.loggedDefaults().add(one.source())) {
        news.add(one.source() + " (" + one.text() + ")");
      }
    }
    if (!news.isEmpty()) {
      log.info("request {} asks for plugins that do nothing: {}", received.id(), news);
    }
  }

  /** One that begins when all is over is closed before it does anything. */
  void turn(Turn begun) {
    turns.add(begun);
    if (over) {
      begun.close();
    }
  }

  /** A number for the next line of the books; each is given once. */
  int nextAct() {
    return numbers.getAndIncrement();
  }

  /** In the order they were planned. */
  List<Turn> turns() {
    return turns;
  }

  /** A plugin pays for something; not any more when all is over. */
  void act(PaidAct paid) {
    acts.updateAndGet(
        before -> {
          var all = new ArrayList<>(before);
          all.add(paid);
          return List.copyOf(all);
        });
    if (over) {
      paid.release();
    }
  }

  /** What all turns and paid acts that ended cost together; null when nothing cost anything. */
  @Nullable Bill bill() {
    Bill sum = null;
    for (Turn turn : turns) {
      Bill one = turn.bill();
      if (one != null) {
        sum = sum == null ? one : sum.plus(one);
      }
    }
    for (PaidAct act : acts.get()) {
      Usd cost = act.cost();
      if (cost != null && (sum != null || cost.isMoreThan(Usd.ZERO))) {
        sum = (sum == null ? NOTHING : sum).withFee(cost);
      }
    }
    return sum;
  }

  /** Money settled so far, and money set aside for what is under way. */
  Usd spent() {
    Usd sum = Usd.ZERO;
    for (Turn turn : turns) {
      Bill bill = turn.bill();
      Funds hold = turn.funds();
      if (bill != null) {
        sum = sum.plus(bill.total());
      } else if (hold != null && !turn.isOver()) {
        sum = sum.plus(hold.atMost().credits());
      }
    }
    for (PaidAct act : acts.get()) {
      Usd cost = act.cost();
      sum = sum.plus(cost == null ? act.amount() : cost);
    }
    return sum;
  }

  /**
   * Ends whatever a plugin left open: its turns, and money it set aside. Nothing begins any more.
   */
  void closeAll() {
    closeAll(EndCause.CALLER);
  }

  /** As {@link #closeAll()}, for another cause than the caller. */
  void closeAll(EndCause cause) {
    over = true;
    turns.forEach(turn -> closing(() -> turn.close(cause)));
    acts.get().forEach(act -> closing(act::release));
  }

  /** One that fails to close must not keep the others open. */
  private void closing(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error bug) {
      log.error("closing a part of {} failed", received.id(), bug);
    }
  }

  /** Records a request nobody answered. */
  Reply.Refused refused(GatewayError error, boolean cancelled) {
    var outcome = cancelled ? CallRecord.Outcome.CANCELLED : CallRecord.Outcome.ERROR;
    List<CallRecord.Line> lines = lines();
    observe(record(outcome, lines).error(error.code()).build(), null);
    became(outcome, error.code());
    Turn last = turns.isEmpty() ? null : turns.getLast();
    return new Reply.Refused(
        received.id(),
        received.createdSeconds(),
        error,
        new Delivery(
            models(),
            snapshot.catalog(),
            last == null ? null : last.plan(),
            events(),
            null,
            lines.size(),
            -1,
            inactive));
  }

  /** Records an answer that has ended. */
  void ended(
      CallRecord.Outcome outcome, @Nullable StopReason stopReason, @Nullable ErrorCode error) {
    CallRecord.Builder record = record(outcome, lines()).stopReason(stopReason).error(error);
    Turn by = delivering();
    AttemptLoop.Outcome.Delivers first = firstDelivers();
    if (by != null && by.delivers() instanceof AttemptLoop.Outcome.Delivers delivers) {
      record.endpoint(delivers.candidate().endpoint().id());
    }
    if (first != null) {
      record.firstContentNanos(first.firstContentNanos() - received.nanos());
    }
    observe(record.build(), null);
    became(outcome, error);
  }

  /** Records an answer that was given before. */
  void replayed(CachedAnswer from, CallRecord.Outcome outcome) {
    boolean complete = outcome == CallRecord.Outcome.COMPLETE;
    observe(
        record(outcome, List.of())
            .endpoint(from.endpoint().id())
            .stopReason(complete ? from.reason() : null)
            .cacheSource(from.sourceId())
            .build(),
        from.endpoint());
  }

  /** Money set a limit of its own to the answer: another day it might be longer. */
  boolean capped() {
    return notes.stream()
        .anyMatch(entry -> entry instanceof TraceEntry.Note note && isCapped(note.text()));
  }

  private static boolean isCapped(String note) {
    return BudgetCap.isNote(note) || note.startsWith(Turns.CUT);
  }

  private void observe(CallRecord record, @Nullable Endpoint replayed) {
    engine.observe(record);
    engine.generations().save(new GenerationFacts(received, turns, record, replayed, shown));
  }

  /** What became of each decision, if somebody wants to know. */
  private void became(CallRecord.Outcome outcome, @Nullable ErrorCode error) {
    DecisionLog decisions = engine.decisions();
    if (decisions == null) {
      return;
    }
    int number = 0;
    for (Turn turn : turns) {
      number++;
      if (turn.query() instanceof RoutingQuery query && turn.plan() instanceof RoutePlan plan) {
        String id = number == 1 ? received.id() : received.id() + "." + number;
        var ending = new Decision.Ending(turn.attempts(), outcome, error);
        Engine.record(
            new Decision(id, snapshot.catalog(), turn.statistics(), query, plan, ending),
            decisions);
      }
    }
  }

  /** A line for each attempt of each turn, then one for each act a plugin paid for. */
  private List<CallRecord.Line> lines() {
    var lines = new ArrayList<CallRecord.Line>();
    for (Turn turn : turns) {
      for (TraceEntry entry : turn.attempts()) {
        if (entry instanceof TraceEntry.Attempted attempted) {
          lines.add(line(turn, attempted));
        }
      }
    }
    for (PaidAct act : acts.get()) {
      Usd cost = act.cost();
      if (cost != null) {
        lines.add(new CallRecord.Line(act.what(), Usage.NONE, cost));
      }
    }
    return lines;
  }

  private static CallRecord.Line line(Turn turn, TraceEntry.Attempted attempted) {
    Bill bill = attempted.failure() == null ? turn.bill() : null;
    return bill == null
        ? new CallRecord.Line(attempted.endpoint(), Usage.NONE, Usd.ZERO)
        : new CallRecord.Line(attempted.endpoint(), bill.usage(), bill.total());
  }

  private CallRecord.Builder record(CallRecord.Outcome outcome, List<CallRecord.Line> lines) {
    return CallRecord.builder(received.id(), received.at(), outcome)
        .keyName(received.caller().name())
        .requested(requested())
        .lines(lines)
        .plan(turns.isEmpty() ? null : turns.getFirst().plan())
        .attempts(events())
        .totalNanos(engine.ambient().nanoTime() - received.nanos());
  }

  /** The last turn somebody answers; null when nobody does. */
  private @Nullable Turn delivering() {
    Turn last = null;
    for (Turn turn : turns) {
      last = turn.delivers() == null ? last : turn;
    }
    return last;
  }

  private AttemptLoop.Outcome.@Nullable Delivers firstDelivers() {
    for (Turn turn : turns) {
      if (turn.delivers() instanceof AttemptLoop.Outcome.Delivers delivers) {
        return delivers;
      }
    }
    return null;
  }

  /** How the request is served as of now. */
  Delivery delivery() {
    Turn by = delivering();
    AttemptLoop.Outcome.Delivers delivers = by == null ? null : by.delivers();
    MeteredAnswer answer = by == null ? null : by.answer();
    if (by == null || delivers == null || answer == null) {
      return new Delivery(models(), snapshot.catalog(), null, events(), null, 0, -1, inactive);
    }
    return new Delivery(
        models(),
        snapshot.catalog(),
        by.plan(),
        events(),
        delivers.candidate(),
        delivers.number(),
        answer.endedNanos() - delivers.dispatchedNanos(),
        inactive);
  }

  /** How a request is served whose answer was given before, by whom it was given then. */
  Delivery replayedBy(Endpoint endpoint) {
    Candidate by = Candidate.of(endpoint);
    return new Delivery(models(), snapshot.catalog(), null, events(), by, 0, -1);
  }

  private List<TraceEntry> events() {
    var all = new ArrayList<TraceEntry>(notes);
    turns.forEach(turn -> all.addAll(turn.attempts()));
    return all;
  }

  private List<ModelRef> models() {
    return Question.models(received.request(), snapshot.terms(), received.caller());
  }

  private String requested() {
    List<ModelRef> models = models();
    return models.isEmpty() ? "" : models.get(0).toString();
  }
}
