package io.strowger.spi.model;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A valid request for an answer, in the engine's own form. Immutable.
 *
 * <p>{@link #members()} is the document as it was read. Members with a typed form (messages, tools,
 * the token limit ...) are <em>always</em> written from that form, which copies the bytes of
 * whatever was not changed; every other member is written as it came. Therefore, what a plugin
 * reads here is what the upstream receives.
 *
 * <p>Contract: "Chat request body", "POST /messages"; responses fact sheet.
 */
public final class InferenceRequest {
  /** Members that have a typed form in every dialect; {@link Builder#member} rejects them. */
  private static final Set<String> SHARED_MEMBERS =
      Set.of("model", "models", "tools", "stream", "provider", "plugins", "session_id", "user");

  private static final Map<Dialect, Set<String>> TYPED_MEMBERS =
      Map.of(
          Dialect.CHAT, withShared("messages", "max_tokens", "max_completion_tokens"),
          Dialect.MESSAGES, withShared("messages", "system", "fallbacks", "max_tokens"),
          Dialect.RESPONSES, withShared("input", "instructions", "max_output_tokens"),
          Dialect.GEMINI, SHARED_MEMBERS);

  private final Dialect dialect;
  private final Endpoint.Kind kind;
  private final Json.Obj members;
  private final List<ModelRef> models;
  private final @Nullable Message instructions;
  private final List<Message> messages;
  private final List<Tool> tools;
  private final boolean streaming;
  private final int maxOutputTokens;
  private final long parameters;
  private final ProviderPreferences preferences;
  private final List<PluginEntry> plugins;
  private final @Nullable String sessionId;
  private final @Nullable String user;
  private final @Nullable UploadedFile upload;
  private final List<String> upstreamFeatures;
  private final RequestOrigin origin;
  private final boolean mayCallTools;
  private final GenerationParameters.Reader parametersReader;
  private final boolean hasExplicitParameters;
  private @Nullable GenerationParameters
      generationParameters; // read on first use; a race computes an equal value

  private InferenceRequest(Builder builder) {
    dialect = builder.dialect;
    kind = builder.kind;
    members = builder.members;
    models = List.copyOf(builder.models);
    instructions = builder.instructions;
    messages = List.copyOf(builder.messages);
    tools = List.copyOf(builder.tools);
    streaming = builder.streaming;
    maxOutputTokens = builder.maxOutputTokens;
    hasExplicitParameters = builder.hasExplicitParameters;
    parameters =
        hasExplicitParameters
            ? builder.parameters
            : UsedParameters.of(dialect, members, !tools.isEmpty(), maxOutputTokens > 0);
    preferences = builder.preferences;
    plugins = List.copyOf(builder.plugins);
    sessionId = builder.sessionId;
    user = builder.user;
    upload = builder.upload;
    upstreamFeatures = List.copyOf(builder.upstreamFeatures);
    origin = builder.origin;
    mayCallTools = builder.mayCallTools;
    parametersReader = builder.parametersReader;
  }

  private static Set<String> withShared(String... names) {
    var result = new HashSet<>(SHARED_MEMBERS);
    result.addAll(List.of(names));
    return Set.copyOf(result);
  }

  private static void requireUntyped(Dialect dialect, String name) {
    if (Objects.requireNonNull(TYPED_MEMBERS.get(dialect)).contains(name)) {
      throw new IllegalArgumentException(name + " has a typed form: use its own method");
    }
  }

  /** Returns the dialect of the request, which is also that of every source in it. */
  public Dialect dialect() {
    return dialect;
  }

  /**
   * Returns the kind of endpoint that serves the request. For embeddings and speech, {@link
   * #members()} is the whole request: there are no messages and no tools.
   */
  public Endpoint.Kind kind() {
    return kind;
  }

  /**
   * Returns the document as received; current only for members without a typed form. An adapter
   * finds the conversation and the tools in it only while they agree with the typed form.
   */
  public Json.Obj members() {
    return members;
  }

  /** Returns a member that has no typed form, null when absent; throws if it has a typed form. */
  public @Nullable Json member(String name) {
    requireUntyped(dialect, name);
    return members.get(name);
  }

  /** Returns whether a member has a typed form in the request's dialect. */
  boolean hasTypedForm(String name) {
    return Objects.requireNonNull(TYPED_MEMBERS.get(dialect)).contains(name);
  }

  /**
   * Returns this request with its texts edited: all text that may be sent to an upstream, wherever
   * the dialect has it. That is the instructions, all parts of all messages, arguments and results
   * of tools, reasoning, the declarations of tools, and every other member.
   *
   * <p>Structure is not edited: ids, types and formats, and names of models, tools and their
   * parameters. Neither is data that is not text: encoded or encrypted data, and signatures. When a
   * text changes, its signature and its log probabilities are removed. Members that the gateway
   * reads itself (models, routing preferences, plugins, session, user, trace and so on) and
   * protocol keywords such as {@code "effort": "low"} are not edited.
   *
   * @return the same instance when nothing changes; otherwise a request in which everything that
   *     did not change has kept its source
   */
  public InferenceRequest editTexts(TextEditor editor) {
    return new RequestTextEditor(Objects.requireNonNull(editor, "editor")).edit(this);
  }

  /**
   * Returns the requested models, most preferred first; empty when the caller leaves the choice to
   * the account's default.
   */
  public List<ModelRef> models() {
    return models;
  }

  /**
   * Returns the instructions that the dialect has in a member of their own, outside the messages:
   * {@code system} or {@code instructions}. Null when there are none and in the chat dialect, where
   * they are among the messages. Their role is {@link Message.Role#SYSTEM}.
   */
  public @Nullable Message instructions() {
    return instructions;
  }

  public List<Message> messages() {
    return messages;
  }

  public List<Tool> tools() {
    return tools;
  }

  /** Returns whether the caller wants the answer as a stream. */
  public boolean streaming() {
    return streaming;
  }

  /** Returns the maximum number of output tokens, reasoning included; 0 when not given. */
  public int maxOutputTokens() {
    return maxOutputTokens;
  }

  /** Returns the {@link io.strowger.spi.catalog.Parameter#bit()} mask of the parameters present. */
  public long parameterMask() {
    return parameters;
  }

  public ProviderPreferences preferences() {
    return preferences;
  }

  public List<PluginEntry> plugins() {
    return plugins;
  }

  /**
   * Returns the id that keeps a group of requests on one endpoint, at most 256 characters; null if
   * none.
   */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /**
   * Returns the caller's own end user; null when not named. Never sent to an upstream as it is: an
   * adapter finds the hash {@link io.strowger.spi.provider.Call#endUser()} here instead.
   */
  public @Nullable String user() {
    return user;
  }

  /** Returns the file that came with the request; null when none did, as in every conversation. */
  public @Nullable UploadedFile upload() {
    return upload;
  }

  /**
   * Returns the upstream features that the caller requests, by the names that the header {@code
   * x-anthropic-beta} gives them, in the order of the header, each once. Only an adapter of the
   * messages dialect passes them on. Provider-routing fact sheet, section 14.
   */
  public List<String> upstreamFeatures() {
    return upstreamFeatures;
  }

  /** Returns where the request came from. Used in records; never sent to an upstream. */
  public RequestOrigin origin() {
    return origin;
  }

  /**
   * Returns whether the model may call tools. When false, it must answer without a call; the tools
   * stay declared, since a conversation that contains calls needs their declarations.
   */
  public boolean mayCallTools() {
    return mayCallTools;
  }

  /**
   * Returns the parameters besides the conversation, independent of the dialect, read from the
   * current members. An adapter of the request's own dialect uses the members themselves.
   */
  public GenerationParameters generationParameters() {
    GenerationParameters result = generationParameters;
    if (result == null) {
      result = parametersReader.read(members);
      result = mayCallTools ? result : result.withoutToolUse();
      generationParameters = result;
    }
    return result;
  }

  /**
   * Returns a builder of a request.
   *
   * @param members in the form of the dialect, such as {@code temperature}; members with a typed
   *     form are set by the builder's own methods and need not be among them. Nothing is checked
   *     here: they must be what a decoder would accept
   */
  public static Builder builder(Dialect dialect, Json.Obj members) {
    return new Builder(dialect, members);
  }

  /**
   * Returns a request whose model reads a text before everything else: before the instructions that
   * the dialect keeps outside the messages, or as the first system message in the chat dialect.
   */
  public InferenceRequest prependInstructions(String text) {
    if (dialect == Dialect.CHAT) {
      var extended = new ArrayList<Message>();
      extended.add(Message.text(Message.Role.SYSTEM, text));
      extended.addAll(messages);
      return toBuilder().messages(extended).build();
    }
    if (instructions == null) {
      return toBuilder().instructions(Message.text(Message.Role.SYSTEM, text)).build();
    }
    var parts = new ArrayList<Part>();
    parts.add(new Part.Text(text));
    parts.addAll(instructions.parts());
    return toBuilder().instructions(instructions.withParts(parts)).build();
  }

  public Builder toBuilder() {
    Builder copy = new Builder(dialect, members);
    copy.kind = kind;
    copy.models = models;
    copy.instructions = instructions;
    copy.messages = messages;
    copy.tools = tools;
    copy.streaming = streaming;
    copy.maxOutputTokens = maxOutputTokens;
    copy.parameters = parameters;
    copy.hasExplicitParameters = hasExplicitParameters;
    copy.preferences = preferences;
    copy.plugins = plugins;
    copy.sessionId = sessionId;
    copy.user = user;
    copy.upload = upload;
    copy.upstreamFeatures = upstreamFeatures;
    copy.origin = origin;
    copy.mayCallTools = mayCallTools;
    copy.parametersReader = parametersReader;
    return copy;
  }

  /** Builds a request. Does not validate it: a decoder has already checked what callers send. */
  public static final class Builder {
    private final Dialect dialect;
    private Endpoint.Kind kind = Endpoint.Kind.CHAT;
    private Json.Obj members;
    private List<ModelRef> models = List.of();
    private @Nullable Message instructions;
    private List<Message> messages = List.of();
    private List<Tool> tools = List.of();
    private boolean streaming;
    private int maxOutputTokens;
    private long parameters;
    private boolean hasExplicitParameters;
    private ProviderPreferences preferences = ProviderPreferences.NONE;
    private List<PluginEntry> plugins = List.of();
    private @Nullable String sessionId;
    private @Nullable String user;
    private @Nullable UploadedFile upload;
    private List<String> upstreamFeatures = List.of();
    private RequestOrigin origin = RequestOrigin.UNKNOWN;
    private boolean mayCallTools = true;
    private GenerationParameters.Reader parametersReader;

    private Builder(Dialect dialect, Json.Obj members) {
      this.dialect = Objects.requireNonNull(dialect, "dialect");
      this.members = Objects.requireNonNull(members, "members");
      this.parametersReader = GenerationParameters.Reader.of(dialect);
    }

    /**
     * Replaces the document, {@link InferenceRequest#members()}. Typed forms stay as they are, and
     * so does a mask that {@link #parameters} has set.
     */
    public Builder members(Json.Obj value) {
      members = Objects.requireNonNull(value, "members");
      return this;
    }

    /** Sets the kind of endpoint that serves the request; the default is chat. */
    public Builder kind(Endpoint.Kind value) {
      kind = Objects.requireNonNull(value, "kind");
      return this;
    }

    public Builder models(List<ModelRef> value) {
      models = value;
      return this;
    }

    public Builder instructions(@Nullable Message value) {
      instructions = value;
      return this;
    }

    public Builder messages(List<Message> value) {
      messages = value;
      return this;
    }

    public Builder tools(List<Tool> value) {
      tools = value;
      return this;
    }

    public Builder streaming(boolean value) {
      streaming = value;
      return this;
    }

    public Builder maxOutputTokens(int tokens) {
      maxOutputTokens = tokens;
      return this;
    }

    /**
     * Sets the mask of the parameters present. By default it is derived from the members, the tools
     * and the output limit.
     */
    public Builder parameters(long mask) {
      parameters = mask;
      hasExplicitParameters = true;
      return this;
    }

    public Builder preferences(ProviderPreferences value) {
      preferences = value;
      return this;
    }

    public Builder plugins(List<PluginEntry> value) {
      plugins = value;
      return this;
    }

    public Builder sessionId(@Nullable String value) {
      sessionId = value;
      return this;
    }

    public Builder user(@Nullable String value) {
      user = value;
      return this;
    }

    public Builder upload(@Nullable UploadedFile value) {
      upload = value;
      return this;
    }

    public Builder origin(RequestOrigin value) {
      origin = value;
      return this;
    }

    public Builder upstreamFeatures(List<String> value) {
      upstreamFeatures = value;
      return this;
    }

    public Builder mayCallTools(boolean value) {
      mayCallTools = value;
      return this;
    }

    /** Sets the reader of the parameters; by default {@link GenerationParameters.Reader#of}. */
    public Builder parametersReader(GenerationParameters.Reader value) {
      parametersReader = value;
      return this;
    }

    /**
     * Sets a member that has no typed form, in the form of the dialect; null removes it. It is
     * added to the mask of the parameters present, as if a caller had sent it.
     */
    public Builder member(String name, @Nullable Json value) {
      requireUntyped(dialect, name);
      Json previous = members.get(name);
      parameters &= previous == null ? -1 : ~UsedParameters.ofMember(dialect, name, previous);
      parameters |= value == null ? 0 : UsedParameters.ofMember(dialect, name, value);
      members = value == null ? members.without(name) : members.with(name, value);
      return this;
    }

    public InferenceRequest build() {
      return new InferenceRequest(this);
    }
  }
}
