package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of a panel. Before any model is asked, money is set aside for the whole run: members,
 * analyst and the caller's own answer. If it is not enough for all members, the largest affordable
 * panel is asked, preferring the first members. The panel gets at most half of the remaining time,
 * the analyst at most half of the rest, each at most two minutes. Confined to one thread.
 */
final class PanelRun {
  private static final Duration MAX_TIME = Duration.ofMinutes(2);
  private static final int MAX_COMPLETION_TOKENS = 16_000;
  private static final long MAX_TOOL_CALLS = 4;

  /** The most bytes of one answer, and of the analysis, written as JSON. */
  private static final int MAX_ANSWER_BYTES = 32_768;

  /** The most bytes of a member's error message. */
  private static final int MAX_ERROR_BYTES = 256;

  private static final int FRAME_BYTES = 256; // of JSON around one answer or error
  private static final int MAX_SOURCE_BYTES = 12_288; // for all sources together
  private static final int BYTES_PER_TOKEN = 4;
  private static final int FINAL_TOKENS = 1000; // assumed where the caller sets no limit

  /** The assumed bytes of the description of one server tool offered to the caller's model. */
  private static final int TOOL_BYTES = 2048;

  /** The result of a member for which there is not enough money. */
  private static final InnerCall.Result UNPAID_RESULT =
      new InnerCall.Result(
          null,
          new Event.Failed(
              GatewayError.of(
                  ErrorCode.PAYMENT_REQUIRED, "There is not enough money to ask this model too."),
              null),
          null,
          Usd.ZERO,
          0);

  /** A tool parameter that only the plugin sets: the indices of the members that are paid for. */
  static final String FUNDED_MEMBERS = "funded";

  private static final String CUT_MARK = "\n[cut here]";

  private final Invocation call;
  private final Chain chain;
  private final List<String> models;
  private final List<ModelRef> analyst;
  private final List<Tool> tools;
  private final int maxTokens;
  private final List<Message> conversation;
  private final List<Json> responses = new ArrayList<>();
  private final List<Json> failures = new ArrayList<>();
  private final Map<String, Json> sources = new LinkedHashMap<>();
  private final List<Json> callRecords = new ArrayList<>();
  private int sourceBytes;
  private final PanelFunds funds;

  /**
   * @param defaultModels the models to ask if the tool's parameters name none
   */
  PanelRun(Invocation call, Chain chain, List<String> defaultModels) {
    this.call = call;
    this.chain = chain;
    this.funds = new PanelFunds(chain);
    Json.Obj parameters = call.parameters();
    models =
        parameters.list("analysis_models") != null
            ? parameters.texts("analysis_models")
            : defaultModels;
    String analystName = parameters.text("model");
    analyst = analystName == null ? call.request().models() : List.of(ModelRef.parse(analystName));
    tools = tools(parameters, chain.innerTools());
    maxTokens =
        Math.clamp(
            parameters.longValue("max_completion_tokens", MAX_COMPLETION_TOKENS),
            1,
            Integer.MAX_VALUE);
    conversation = PanelPrompt.of(call.request());
  }

  private static List<Tool> tools(Json.Obj parameters, Set<String> available) {
    List<PanelTool> requested =
        parameters.list("tools") instanceof Json.Arr items
            ? PanelTool.of(items)
            : PanelTool.DEFAULTS;
    return requested.stream()
        .filter(tool -> available.contains(tool.qualifiedType()))
        .<Tool>map(tool -> new Tool.Server(tool.qualifiedType(), tool.parameters(), null))
        .toList();
  }

  /** Returns the result of a panel that was not asked or that failed. */
  static Json.Obj error(String reason, String message) {
    return Json.object()
        .put("status", "error")
        .put("error", message)
        .put("failure_reason", reason)
        .build();
  }

  Json.Obj run() {
    if (models.isEmpty()) {
      return error("invalid_model", "There is no model to ask: name some in analysis_models.");
    }
    try {
      List<Integer> memberIndices = fund(candidates(), null);
      if (memberIndices.isEmpty()) {
        return recordStage(
            error(
                "insufficient_credits",
                "Insufficient credits: " + minimumMessage(minimumPrice(null))));
      }
      InnerCall finalCall = finalAnswer(memberIndices.size());
      if (funds.has(finalCall)) {
        chain.reserveNextTurn(finalCall);
        funds.take(finalCall);
      }
      askPanel(memberIndices);
      return responses.isEmpty()
          ? recordStage(allFailed())
          : recordStage(success(memberIndices.size()));
    } catch (GatewayException e) {
      String reason = PanelFunds.isOutOfMoney(e) ? "insufficient_credits" : "unexpected_error";
      return recordStage(error(reason, e.error().message()));
    } finally {
      funds.release();
    }
  }

  /**
   * Sets money aside for the largest affordable panel and for the first turn of the caller's model,
   * before that model decides whether to call the tool. The holds are kept under the names of the
   * calls until the tool runs.
   *
   * @return the indices of the members paid for; empty when there is no model to ask, which the
   *     tool reports, or when the money was there but could not be set aside
   * @throws GatewayException 402, or 403 for a budget set for the caller, when there is not enough
   *     money for the smallest panel; the message has the sum that this panel needs, and nothing is
   *     held
   */
  List<Integer> fundAhead() {
    if (models.isEmpty()) {
      return List.of(); // the tool reports it
    }
    InnerCall first = firstTurn();
    List<Integer> funded = fund(candidates(), first);
    if (!funded.isEmpty()) {
      if (funds.has(first)) {
        chain.reserveNextTurn(first);
      }
      return funded;
    }
    Usd minimum = minimumPrice(first);
    try {
      chain.hold(minimum, "a panel").release(); // expected to throw the refusal
    } catch (GatewayException e) {
      throw PanelFunds.isOutOfMoney(e)
          ? e.error()
              .withMessage(e.error().message() + "; " + minimumMessage(minimum))
              .toException()
          : e;
    }
    return List.of();
  }

  private static String minimumMessage(Usd minimum) {
    return "fusion needs "
        + minimum
        + " for its smallest panel: one model, the model that compares, and the answer";
  }

  /** Returns the indices of the members that may be asked: all, or those already paid for. */
  private List<Integer> candidates() {
    var indices = new ArrayList<Integer>();
    Json.Arr funded = call.parameters().list(FUNDED_MEMBERS);
    for (int i = 0; i < models.size(); i++) {
      if (funded == null || isIn(funded, i)) {
        indices.add(i);
      }
    }
    return indices;
  }

  private static boolean isIn(Json.Arr indices, int index) {
    return indices.stream()
        .anyMatch(
            element -> element instanceof Json.Num number && number.asLong().orElse(-1) == index);
  }

  /**
   * Sets money aside for as many members as possible, and for the calls that follow them.
   *
   * @param first a call to pay for as well; null for none
   * @return the indices of the members; empty when there is not enough for any; then nothing is set
   *     aside
   */
  private List<Integer> fund(List<Integer> candidates, @Nullable InnerCall first) {
    for (int size = candidates.size(); size > 0; size--) {
      List<Integer> funded = fund(candidates, size, first);
      if (funded.size() == size) {
        return funded;
      }
      funds.release();
    }
    return List.of();
  }

  private List<Integer> fund(List<Integer> candidates, int size, @Nullable InnerCall first) {
    var funded = new ArrayList<Integer>();
    if (funds.reserve(longestAnalysis(size))
        && funds.reserve(finalAnswer(size))
        && (first == null || funds.reserve(first))) {
      for (int i = 0; i < candidates.size() && funded.size() < size; i++) {
        if (funds.reserve(member(candidates.get(i)))) {
          funded.add(candidates.get(i));
        }
      }
    }
    return funded;
  }

  /** Returns the money that a panel of the cheapest member needs, with all calls that follow. */
  private Usd minimumPrice(@Nullable InnerCall first) {
    Usd cheapest = funds.minimumReservation(member(0));
    for (int i = 1; i < models.size(); i++) {
      Usd price = funds.minimumReservation(member(i));
      cheapest = cheapest.isMoreThan(price) ? price : cheapest;
    }
    Usd followingCalls =
        funds.minimumReservation(longestAnalysis(1)).plus(funds.minimumReservation(finalAnswer(1)));
    return cheapest
        .plus(followingCalls)
        .plus(first == null ? Usd.ZERO : funds.minimumReservation(first));
  }

  private int answerBytes() {
    return (int) Math.min(MAX_ANSWER_BYTES, (long) maxTokens * BYTES_PER_TOKEN);
  }

  /** Returns the most bytes of this many answers, or of the errors in their place, as JSON. */
  private int answersBytes(int answers) {
    return answers * (Math.max(answerBytes(), MAX_ERROR_BYTES) + FRAME_BYTES);
  }

  private InnerCall member(int index) {
    InferenceRequest.Builder builder =
        requestTo(List.of(ModelRef.parse(models.get(index))), conversation);
    copy("temperature", builder);
    return new InnerCall("panel " + (index + 1), builder.build());
  }

  private void askPanel(List<Integer> memberIndices) {
    var panel = new ArrayList<InnerCall>();
    for (int index : memberIndices) {
      InnerCall member = member(index);
      panel.add(member.withReservation(funds.take(member)));
    }
    List<InnerCall.Result> results = chain.callAll(panel, timeLimit());
    for (int index = 0; index < models.size(); index++) {
      int position = memberIndices.indexOf(index);
      addResult(models.get(index), position < 0 ? UNPAID_RESULT : results.get(position));
    }
  }

  /** Returns half of the remaining time, at most two minutes. */
  private Duration timeLimit() {
    Duration half = chain.remaining().dividedBy(2);
    return half.compareTo(MAX_TIME) < 0 ? half : MAX_TIME;
  }

  private InferenceRequest.Builder requestTo(List<ModelRef> targets, List<Message> messages) {
    InferenceRequest callerRequest = call.request();
    InferenceRequest.Builder builder =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .models(targets)
            .messages(messages)
            .tools(tools)
            .maxOutputTokens(outputLimit(targets))
            .sessionId(callerRequest.sessionId())
            .user(callerRequest.user())
            .origin(callerRequest.origin());
    builder.member(
        "max_tool_calls", Json.of(call.parameters().longValue("max_tool_calls", MAX_TOOL_CALLS)));
    copy("reasoning", builder);
    copy("cache_control", builder);
    return builder;
  }

  /** Returns the caller's output limit, or the default bounded by what the models can write. */
  private int outputLimit(List<ModelRef> targets) {
    if (call.parameters().get("max_completion_tokens") != null) {
      return maxTokens;
    }
    int modelLimit =
        chain.catalog().models().stream()
            .filter(model -> targets.stream().anyMatch(ref -> isNamed(model, ref)))
            .flatMap(model -> model.endpoints().stream())
            .mapToInt(Endpoint::maxOutputTokens)
            .max()
            .orElse(maxTokens);
    return modelLimit > 0 ? Math.min(maxTokens, modelLimit) : maxTokens;
  }

  private boolean isNamed(ModelInfo model, ModelRef ref) {
    return ref.slug().startsWith("~")
        ? ref.slug().equalsIgnoreCase("~" + model.family() + "-latest")
        : model.equals(chain.catalog().model(ref.slug()));
  }

  private void copy(String parameter, InferenceRequest.Builder builder) {
    Json value = call.parameters().get(parameter);
    if (value != null) {
      builder.member(parameter, value);
    }
  }

  private InnerCall longestAnalysis(int answers) {
    return analysis("x".repeat(answersBytes(answers)));
  }

  private InnerCall analysis(String answers) {
    var messages = new ArrayList<>(conversation);
    messages.add(Message.text(Message.Role.USER, Analysis.INSTRUCTIONS + "\n\n" + answers));
    return new InnerCall(
        "analyst",
        requestTo(analyst, messages)
            .member("temperature", Json.of(0))
            .member("response_format", Analysis.FORMAT)
            .build());
  }

  /** Returns the longest possible call of the caller's model after this many answers. */
  private InnerCall finalAnswer(int answers) {
    int unpaidBytes = (models.size() - answers) * (MAX_ERROR_BYTES + FRAME_BYTES);
    int result =
        answersBytes(answers) + unpaidBytes + answerBytes() + MAX_SOURCE_BYTES + FRAME_BYTES;
    return callerCall("final answer", result);
  }

  /** Returns the first call of the caller's model, with the server tools it is offered. */
  private InnerCall firstTurn() {
    long serverTools =
        call.request().tools().stream().filter(tool -> tool instanceof Tool.Server).count();
    return callerCall("first turn", (int) Math.min(serverTools, 128) * TOOL_BYTES);
  }

  private InnerCall callerCall(String name, int addedChars) {
    InferenceRequest callerRequest = call.request();
    var messages = new ArrayList<>(callerRequest.messages());
    messages.add(Message.text(Message.Role.USER, "x".repeat(addedChars)));
    List<Tool> functions =
        callerRequest.tools().stream().filter(tool -> !(tool instanceof Tool.Server)).toList();
    int limit = callerRequest.maxOutputTokens();
    return new InnerCall(
        name,
        callerRequest.toBuilder()
            .messages(messages)
            .tools(functions)
            .maxOutputTokens(limit > 0 ? limit : FINAL_TOKENS)
            .build());
  }

  private void addResult(String model, InnerCall.Result result) {
    Answer answer = result.answer();
    String text = answer == null ? "" : text(answer);
    if (answer != null && result.failure() == null && !text.isBlank()) {
      responses.add(
          Json.object()
              .put("model", result.model() == null ? model : result.model())
              .put("content", truncate(text, answerBytes()))
              .build());
      answer.parts().forEach(this::addSource);
      recordCall("panel", model, "ok", result);
    } else {
      failures.add(failure(model, result));
      recordCall("panel", model, "failed", result);
    }
  }

  private static String text(Answer answer) {
    var builder = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text text) {
        builder.append(text.text().text());
      }
    }
    return builder.toString();
  }

  /** Returns the beginning of a text that fits into this many bytes of JSON, including escapes. */
  private static String truncate(String text, int maxBytes) {
    if (Json.of(text).writtenLength() <= maxBytes) {
      return text;
    }
    long bytesLeft =
        Math.max(0, maxBytes - CUT_MARK.length() - 3); // two quotes; the line break takes two bytes
    int end = 0;
    while (end < text.length()) {
      int c = text.codePointAt(end);
      bytesLeft -= Json.of(Character.toString(c)).writtenLength() - 2;
      if (bytesLeft < 0) {
        break;
      }
      end += Character.charCount(c);
    }
    return text.substring(0, end) + CUT_MARK;
  }

  private void addSource(Part part) {
    if (part instanceof Part.Citation citation
        && citation.body().object("url_citation") instanceof Json.Obj urlCitation
        && urlCitation.text("url") instanceof String url
        && !sources.containsKey(url)) {
      String title = urlCitation.text("title");
      Json source =
          Json.object()
              .put("url", url)
              .put("title", title == null || title.isEmpty() ? url : title)
              .build();
      int bytes = source.writtenLength() + 1;
      if (sourceBytes + bytes <= MAX_SOURCE_BYTES) {
        sourceBytes += bytes;
        sources.put(url, source);
      }
    }
  }

  private static Json.Obj failure(String model, InnerCall.Result result) {
    Event.Failed failedEvent = result.failure();
    if (failedEvent == null) {
      return Json.object().put("model", model).put("error", "The answer is empty.").build();
    }
    boolean isUpstreamStatus =
        failedEvent.code().blame() == ErrorCode.Blame.UPSTREAM && result.upstreamStatus() > 0;
    return Json.object()
        .put("model", model)
        .put("error", truncate(failedEvent.error().message(), MAX_ERROR_BYTES))
        .put(
            "status_code", isUpstreamStatus ? result.upstreamStatus() : failedEvent.code().status())
        .build();
  }

  private void recordCall(String role, String model, String status, InnerCall.Result result) {
    callRecords.add(
        Json.object()
            .put("role", role)
            .put("model", result.model() == null ? model : result.model())
            .put("status", status)
            .put("cost_usd", result.cost().json())
            .build());
  }

  private Json.Obj allFailed() {
    if (chain.cancellation().isCancelled()) {
      return error("cancelled", "The request was cancelled.");
    }
    String reason =
        hasFailure(402)
            ? "insufficient_credits"
            : hasFailure(429) ? "rate_limited" : "all_panels_failed";
    return error(reason, "No model of the panel answered: " + errors());
  }

  private String errors() {
    return failures.stream()
        .map(
            failure ->
                failure instanceof Json.Obj model
                    ? model.text("model") + ": " + model.text("error")
                    : "")
        .collect(Collectors.joining("; "));
  }

  private boolean hasFailure(int status) {
    return failures.stream()
        .anyMatch(
            failure ->
                failure instanceof Json.Obj model && model.longValue("status_code", 0) == status);
  }

  private Json.Obj success(int memberCount) {
    var result = Json.object().put("status", "ok");
    if (analyze(memberCount) instanceof Analysis.Result.Valid(Json.Obj analysis)) {
      result.put("analysis", analysis);
    }
    result.put("responses", Json.array(responses));
    if (!failures.isEmpty()) {
      result.put("failed_models", Json.array(failures));
    }
    if (!sources.isEmpty()) {
      result.put("sources", Json.array(List.copyOf(sources.values())));
    }
    return result.build();
  }

  /** Asks the analyst; if it fails, the answers are returned without an analysis. */
  private Analysis.Result analyze(int memberCount) {
    String answers = new String(Json.array(responses).toBytes(), StandardCharsets.UTF_8);
    InnerCall analysis =
        analysis(answers).withReservation(funds.take(longestAnalysis(memberCount)));
    InnerCall.Result result = chain.callAll(List.of(analysis), timeLimit()).getFirst();
    Answer answer = result.answer();
    Analysis.Result analysisResult =
        result.failure() != null
            ? new Analysis.Result.Invalid("judge_upstream_error")
            : Analysis.read(answer == null ? "" : text(answer), chain.codec(), answerBytes());
    String model = analyst.getFirst().toString();
    switch (analysisResult) {
      case Analysis.Result.Valid valid -> recordCall("analyst", model, "ok", result);
      case Analysis.Result.Invalid(String reason) -> {
        recordCall("analyst", model, reason, result);
        chain.note("the answers are given without an analysis: " + reason);
      }
    }
    return analysisResult;
  }

  /** Records the calls and what each cost as a stage of the trace; returns the result. */
  private Json.Obj recordStage(Json.Obj result) {
    var data = Json.object().put("status", String.valueOf(result.text("status")));
    if (result.text("failure_reason") != null) {
      data.put("failure_reason", String.valueOf(result.text("failure_reason")));
    }
    data.put("calls", Json.array(callRecords));
    chain.recordStage(
        new TraceEntry.Stage(
            "plugin",
            "fusion",
            responses.size() + " of " + models.size() + " models answered",
            data.build()));
    return result;
  }
}
