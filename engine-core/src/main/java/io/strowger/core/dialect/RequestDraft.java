package io.strowger.core.dialect;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Collects a request of any dialect while its body is read. Confined to one thread. */
public final class RequestDraft {
  private final Json.Obj body;
  private final InferenceRequest.Builder request;
  private @Nullable String model;
  private List<String> models = List.of();
  private int maxOutputTokens;
  private long parameters;

  private RequestDraft(Dialect dialect, Json.Obj body) {
    this.body = body;
    this.request = InferenceRequest.builder(dialect, body);
  }

  /**
   * Reads a body. Use the result only if no problem was noted.
   *
   * @param members the table of the members of a body of the dialect
   * @param plugins checks the entries of {@code plugins}
   * @param problems receives the problems of the body
   */
  public static InferenceRequest.Builder decode(
      Dialect dialect,
      MemberTable<RequestDraft> members,
      Json.Obj body,
      PluginChecks plugins,
      Problems problems) {
    var context = new DecodingContext(problems, plugins);
    var draft = new RequestDraft(dialect, body);
    members.read(body, context, draft);
    if (context.hasMediaTypeAlias()) {
      Json.Obj normalized = MediaAddress.withRegisteredTypes(body);
      draft = new RequestDraft(dialect, normalized);
      members.read(normalized, new DecodingContext(problems, plugins), draft);
    }
    return draft
        .request
        .models(draft.modelRefs())
        .maxOutputTokens(draft.maxOutputTokens)
        .parameters(draft.parameters);
  }

  /** Returns the model, then the fallback models, each once. */
  private List<ModelRef> modelRefs() {
    if (models.isEmpty()) {
      return model == null ? List.of() : List.of(ModelRef.parse(model));
    }
    var names = new LinkedHashSet<String>();
    if (model != null) {
      names.add(model);
    }
    names.addAll(models);
    return names.stream().map(ModelRef::parse).toList();
  }

  /** Returns a setter that only marks a parameter as used. It is not called for a null. */
  public static BiConsumer<RequestDraft, Object> uses(Parameter parameter) {
    long bit = parameter.bit();
    return (draft, value) -> draft.parameters |= bit;
  }

  /** Returns a setter that also marks a parameter as used. */
  public static <T> BiConsumer<RequestDraft, T> uses(
      Parameter parameter, BiConsumer<RequestDraft, T> set) {
    long bit = parameter.bit();
    return (draft, value) -> {
      draft.parameters |= bit;
      set.accept(draft, value);
    };
  }

  /** Adds a parameter to those that the request uses. */
  public void markUsed(Parameter parameter) {
    parameters |= parameter.bit();
  }

  /** Adds the parameters of a mask to those that the request uses. */
  public void markUsed(long mask) {
    parameters |= mask;
  }

  /** Returns the body being read, for rules over several members. */
  public Json.Obj body() {
    return body;
  }

  public void model(String name) {
    model = name;
  }

  /** Sets the fallback models. */
  public void models(List<String> names) {
    models = names;
  }

  public void instructions(Message system) {
    request.instructions(system);
  }

  public void messages(List<Message> messages) {
    request.messages(messages);
  }

  /** Sets the tools, and marks {@code tools} as used unless the list is empty. */
  public void tools(List<Tool> tools) {
    parameters |= tools.isEmpty() ? 0 : Parameter.TOOLS.bit();
    request.tools(tools);
  }

  public void maxOutputTokens(long tokens) {
    maxOutputTokens = (int) tokens;
  }

  /** Returns the output limit in tokens; 0 when none was read. */
  public int maxOutputTokens() {
    return maxOutputTokens;
  }

  public void stream(Json.Bool streaming) {
    request.streaming(streaming.value());
  }

  public void preferences(ProviderPreferences preferences) {
    request.preferences(preferences);
  }

  public void plugins(List<PluginEntry> entries) {
    request.plugins(entries);
  }

  public void sessionId(String id) {
    request.sessionId(id);
  }

  public void user(String id) {
    request.user(id);
  }
}
