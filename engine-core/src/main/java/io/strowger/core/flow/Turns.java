package io.strowger.core.flow;

import io.strowger.core.account.Funds;
import io.strowger.core.account.Tab;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.CheckedOpener;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.OutputBudget;
import io.strowger.core.attempt.Stickiness;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.Searches;
import io.strowger.core.plan.HoldSize;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the turns of one request: decides, sets money aside, attempts. Each turn is decided anew; a
 * later one prefers who served the first. Safe on any thread.
 */
final class Turns {
  /** Begins the note that an answer went beyond its hold and was cut there. */
  static final String CUT = "output_cut_at_hold: ";

  private static final int PLANNING_TRIES = 3;

  private final Engine engine;
  private final Received received;
  private final Snapshot snapshot;
  private final CallLog told;
  private final Tab tab;
  private final Lines lines;
  private final Stickiness.Conversation conversation;
  private volatile @Nullable String firstEndpoint;

  Turns(Engine engine, Received received, Snapshot snapshot, CallLog told, Tab tab) {
    this.engine = engine;
    this.received = received;
    this.snapshot = snapshot;
    this.told = told;
    this.tab = tab;
    this.lines = new Lines(received.id(), told::nextAct, engine.ambient()::now);
    this.conversation = engine.stickiness().of(received.caller().owner(), received.request());
  }

  /** Where the money of the request is. */
  Tab tab() {
    return tab;
  }

  /**
   * Decides and sets money aside. A turn that cannot be made has an error. The first decision takes
   * the budgets for untouched: where the hold is granted it is the one that the money really left
   * would have led to, and nobody had to look at the books of all payers.
   *
   * @throws io.strowger.core.plan.PluginFailure when a router breaks its promise
   */
  Turn plan(InferenceRequest request) {
    var turn = new Turn(request, lines, witness());
    told.turn(turn);
    RoutingQuery.Builder question = Question.of(request, turn.size(), snapshot, received.caller());
    Ledger.Room room = tab.limits(); // what is really left is asked only when a hold is refused
    for (int attempt = 0; ; attempt++) {
      Statistics statistics = snapshot.board().published();
      RoutingQuery query = asked(question, request, statistics, room);
      RoutePlan plan = snapshot.planner().plan(query, statistics);
      turn.decided(query, statistics, plan);
      boolean last = attempt == PLANNING_TRIES;
      switch (plan) {
        case RoutePlan.NoRoute none -> {
          boolean unasked = attempt == 0 && none.error().code() == ErrorCode.PAYMENT_REQUIRED;
          GatewayError error = unasked ? null : refusal(none);
          if (error != null || last) {
            turn.refused(error == null ? none.error() : error, false, List.of());
            return turn;
          }
        }
        case RoutePlan.Attempts attempts -> {
          if (isSettled(turn, dearest(attempts.inOrder(), query), last)) {
            return turn;
          }
        }
      }
      room = tab.room();
    }
  }

  /** One that listens where what is said is kept. */
  Witness witness() {
    return new Witness(engine.generations().keepsContent(received.caller()));
  }

  /**
   * What is too dear for what somebody lets the caller spend is not the caller's to pay.
   *
   * @return null when there is more money by now: look again
   */
  private @Nullable GatewayError refusal(RoutePlan.NoRoute none) {
    GatewayError planned = none.error();
    return planned.code() == ErrorCode.PAYMENT_REQUIRED
        ? tab.shortfall(planned, none.needed())
        : planned;
  }

  /**
   * Sets money aside for a turn.
   *
   * @return false when somebody else took the money between the look and the hold: look again
   */
  private boolean isSettled(Turn turn, Charge atMost, boolean last) {
    return switch (tab.hold(atMost)) {
      case Tab.Answer.Funded(Funds funds) -> {
        turn.holds(funds);
        yield true;
      }
      case Tab.Answer.Short(GatewayError error) -> {
        if (last) {
          turn.refused(error, false, List.of());
        }
        yield last;
      }
      case Tab.Answer.Down(GatewayError error) -> {
        turn.refused(error, false, List.of());
        yield true;
      }
    };
  }

  private RoutingQuery asked(
      RoutingQuery.Builder question,
      InferenceRequest request,
      Statistics statistics,
      Ledger.Room room) {
    return question
        .sticky(preferred(request))
        .statistics(statistics.sequence())
        .budget(left(room.credits()))
        .budgetWithOwnKeys(left(room.withOwnKeys()))
        .at(received.at())
        .seed(received.seed())
        .build();
  }

  private static @Nullable Usd left(Ledger.@Nullable Least least) {
    return least == null ? null : least.left();
  }

  /** Who served the request's first turn, then who served the conversation. */
  private List<String> preferred(InferenceRequest request) {
    List<String> before =
        conversation.endpoints(Question.models(request, snapshot.terms(), received.caller()));
    String first = firstEndpoint;
    if (first == null || before.contains(first)) {
      return before;
    }
    var all = new ArrayList<String>();
    all.add(first);
    all.addAll(before);
    return all;
  }

  private static Charge dearest(List<Candidate> candidates, RoutingQuery query) {
    Charge dearest = Charge.ZERO;
    for (Candidate candidate : candidates) {
      dearest = dearest.max(HoldSize.of(candidate, query));
    }
    return dearest;
  }

  /**
   * How the attempts of a turn are made, and under whose eye.
   *
   * @param collected memory for what is collected of the answer; null when it is only passed on
   */
  record Dispatch(
      Watchdog.Watch watch,
      Cancellation cancellation,
      Opener opener,
      OutputBudget.@Nullable Share collected) {}

  /**
   * Attempts a turn that {@link #plan} made: afterwards it has an answer or an error.
   *
   * @param ended told how the answer ended, on whichever thread ends it; after the turn knows
   */
  void attempt(Turn turn, Dispatch dispatch, Consumer<MeteredAnswer.End> ended) {
    if (turn.isOver()) {
      turn.refused(GatewayError.of(ErrorCode.UNAVAILABLE), true, List.of());
      return;
    }
    if (!(turn.plan() instanceof RoutePlan.Attempts planned)
        || !(turn.funds() instanceof Funds funds)
        || !(turn.query() instanceof RoutingQuery query)) {
      throw new IllegalStateException("nothing was set aside for the turn");
    }
    InferenceRequest request = dispatched(turn.request(), planned.inOrder(), query);
    var template =
        new AttemptLoop.Template(
            request,
            EndUser.hash(request, received.caller()),
            echoes(request),
            new CheckedOpener(
                dispatch.opener(), endpoint -> cut(turn, endpoint), dispatch.collected()),
            funds,
            dispatch.cancellation());
    var loop =
        new AttemptLoop(
            engine.ambient(),
            snapshot.catalog(),
            snapshot.upstreams(),
            snapshot.deadlines(),
            snapshot.board(),
            engine.codec(),
            engine.endpoints());
    switch (loop.run(
        planned.inOrder(),
        template,
        candidate -> outputBounds(query, candidate),
        dispatch.watch())) {
      case AttemptLoop.Outcome.Exhausted exhausted ->
          turn.refused(exhausted.error(), exhausted.cancelled(), exhausted.attempts());
      case AttemptLoop.Outcome.Delivers delivers -> answered(turn, delivers, ended);
    }
  }

  private void cut(Turn turn, String endpoint) {
    turn.cut(endpoint);
    told.note(new TraceEntry.Note("engine", CUT + endpoint));
  }

  /** Searches that cost something get a bound, as the hold covers no more. */
  private static InferenceRequest dispatched(
      InferenceRequest request, List<Candidate> candidates, RoutingQuery query) {
    boolean paid = candidates.stream().anyMatch(one -> HoldSize.paysSearches(one, query));
    return paid ? Searches.bounded(request) : request;
  }

  private static boolean echoes(InferenceRequest request) {
    return request.streaming()
        && request.member("debug") instanceof Json.Obj debug
        && Json.TRUE.equals(debug.get("echo_upstream_body"));
  }

  private void answered(
      Turn turn, AttemptLoop.Outcome.Delivers delivers, Consumer<MeteredAnswer.End> ended) {
    if (firstEndpoint == null) {
      firstEndpoint = delivers.candidate().endpoint().id();
    }
    var metered =
        new MeteredAnswer(
            engine.ambient(),
            turn.witness().over(delivers.stream()),
            price(turn, delivers.candidate()),
            delivers.brokeUnread(),
            end -> {
              turn.ended(end, delivers.attempts());
              served(turn, delivers.candidate(), end);
              ended.accept(end);
            });
    if (!turn.delivers(delivers, metered)) {
      delivers.stream().close();
      turn.refused(GatewayError.of(ErrorCode.UNAVAILABLE), true, delivers.attempts());
    }
  }

  private AnswerPrice price(Turn turn, Candidate by) {
    RoutingQuery query = turn.query();
    int cap = query == null ? 0 : HoldSize.outputCap(by, query).tokens();
    String endpoint = by.endpoint().id();
    return new AnswerPrice(by, turn.size(), cap, received.at(), () -> turn.isCut(endpoint));
  }

  private void served(Turn turn, Candidate by, MeteredAnswer.End end) {
    RoutingQuery query = turn.query();
    if (end.outcome() == CallRecord.Outcome.COMPLETE && query != null) {
      conversation.served(query.models().get(by.model()), by.endpoint(), end.bill().usage());
    }
  }

  /** The caller's own limit is sent as it came; a limit of ours is sent where a budget needs it. */
  private AttemptLoop.OutputBounds outputBounds(RoutingQuery query, Candidate candidate) {
    HoldSize.OutputCap cap = HoldSize.outputCap(candidate, query);
    if (cap.byBudget()) {
      told.note(BudgetCap.note(candidate.endpoint(), cap.tokens()));
    }
    return new AttemptLoop.OutputBounds(cap.limitToSend(candidate.endpoint(), query), cap.tokens());
  }
}
