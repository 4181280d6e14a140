package io.strowger.core.http;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.batch.BatchEndpoint;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.dialect.UnsupportedFeatures;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.chat.ChatFormat;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.messages.MessagesFormat;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.dialect.responses.ResponsesFormat;
import io.strowger.core.dialect.unary.EmbeddingsDecoder;
import io.strowger.core.dialect.unary.ImagesDecoder;
import io.strowger.core.dialect.unary.RerankDecoder;
import io.strowger.core.dialect.unary.UnaryFormat;
import io.strowger.core.inference.Inference;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.overload.Admission;
import io.strowger.core.overload.Permit;
import io.strowger.core.preset.Presets;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the paths of the contract. Authenticates a request by its headers, admits it within the
 * limits, and passes it to the handler of its operation. Safe on any thread.
 */
public final class HttpApi implements WireApi {
  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);

  /**
   * The error of a request that needs the store while the store is down. A store that is overloaded
   * or fails over is usually back after the delay that this error states in {@code Retry-After}.
   */
  public static final GatewayError STORE_UNAVAILABLE =
      GatewayError.of(ErrorCode.UNAVAILABLE).withRetryAfter(2);

  private static final byte[] HEALTHY = Json.object().put("status", "ok").build().toBytes();

  private final Authentication authentication;
  private final WireLimits limits;
  private final Routes routes = new Routes();
  private final InferenceBodyReader chatRequestReader;
  private final Map<Operation, OperationHandler> handlers = new EnumMap<>(Operation.class);
  private final Map<Operation, Supplier<InferenceService>> services =
      new EnumMap<>(Operation.class);
  // created on first use: their hundreds of validation rules would slow the start
  private final LazyValue<Map<Operation, OperationHandler>> lazyHandlers;

  /**
   * @param authentication identifies the caller of a request
   * @param inference serves inference requests
   * @param codec parses bodies, within the bounds of the configuration
   * @param plugins validates the plugin entries of requests
   * @param presets finds the preset that a request refers to
   * @param earlyHeadPolicy decides when the status line of a stream is sent before its first
   *     content
   * @param resources the services and stores behind keys, presets and records
   */
  public HttpApi(
      Authentication authentication,
      Inference inference,
      JacksonCodec codec,
      WireLimits limits,
      PluginChecks plugins,
      Presets presets,
      EarlyHeadPolicy earlyHeadPolicy,
      ResourceServices resources) {
    this.authentication = Objects.requireNonNull(authentication, "authentication");
    this.limits = limits;
    var bodyReader = new BodyReader(codec, limits.requestBytes());
    var serviceFactory =
        new InferenceServiceFactory(
            inference, bodyReader, presets, earlyHeadPolicy, plugins, limits.problems());
    InferenceBodyReader.Decoder chatDecoder =
        (body, checks, problems) -> new ChatDecoder(checks).decodeToBuilder(body, problems);
    chatRequestReader =
        serviceFactory.reader(Dialect.CHAT, chatDecoder, UnsupportedFeatures::check);
    registerInference(serviceFactory, resources);
    registerLazily(serviceFactory);
    resources.batches().setRequestHandler(new InferenceBatchHandler(this::serviceForBatches));
    handlers.putAll(new BatchService(resources.batches(), codec, limits).operations());
    lazyHandlers =
        new LazyValue<>(
            () ->
                lazyHandlers(
                    new ServiceContext(resources, bodyReader, limits.problems()), plugins));
  }

  /** Returns the service that answers batch requests to an endpoint. */
  private InferenceService serviceForBatches(BatchEndpoint endpoint) {
    return switch (endpoint) {
      case CHAT -> service(Operation.CHAT);
      case MESSAGES -> service(Operation.MESSAGES);
      case RESPONSES -> service(Operation.RESPONSES);
      case EMBEDDINGS -> service(Operation.EMBEDDINGS);
    };
  }

  private InferenceService service(Operation operation) {
    return Objects.requireNonNull(services.get(operation), operation::name).get();
  }

  private void register(Operation operation, InferenceService service) {
    services.put(operation, () -> service);
    handlers.put(operation, service::serve);
  }

  private void registerInference(InferenceServiceFactory factory, ResourceServices resources) {
    InferenceBodyReader messagesRequestReader =
        factory.reader(
            Dialect.MESSAGES,
            (body, checks, problems) -> new MessagesDecoder(checks).decodeToBuilder(body, problems),
            UnsupportedFeatures::checkPlugins);
    InferenceBodyReader responsesRequestReader =
        factory.reader(
            Dialect.RESPONSES,
            (body, checks, problems) ->
                new ResponsesDecoder(checks).decodeToBuilder(body, problems),
            UnsupportedFeatures::check);
    register(Operation.CHAT, factory.service(chatRequestReader, new ChatFormat()));
    register(Operation.MESSAGES, factory.service(messagesRequestReader, new MessagesFormat()));
    register(
        Operation.RESPONSES,
        factory.service(responsesRequestReader, new ResponsesFormat(resources.ambient()::now)));
    handlers.put(
        Operation.COUNT_TOKENS,
        new TokenCountService(messagesRequestReader, resources.counts())::count);
  }

  /**
   * Registers the services that their first request creates, so that their rules do not slow the
   * start.
   */
  private void registerLazily(InferenceServiceFactory factory) {
    registerLazily(
        Operation.EMBEDDINGS,
        () ->
            factory.unaryService(
                Endpoint.Kind.EMBEDDINGS, new EmbeddingsDecoder()::decode, UnaryFormat.EMBEDDINGS));
    registerLazily(
        Operation.RERANK,
        () ->
            factory.unaryService(
                Endpoint.Kind.RERANK, new RerankDecoder()::decode, UnaryFormat.RERANK));
    registerLazily(
        Operation.IMAGES,
        () ->
            factory.unaryService(
                Endpoint.Kind.IMAGES, new ImagesDecoder()::decode, UnaryFormat.IMAGES));
    registerLazily(
        Operation.TRANSCRIPTIONS,
        () ->
            factory.service(
                new TranscriptionBodyReader(factory.bodyReader(), factory.problemLimit()),
                UnaryFormat.TRANSCRIPTION));
    var speech =
        new LazyValue<>(
            () ->
                new SpeechService(
                    factory.inference(), factory.bodyReader(), factory.problemLimit()));
    handlers.put(
        Operation.SPEECH,
        (caller, request, responseFactory) -> speech.get().serve(caller, request, responseFactory));
  }

  private void registerLazily(Operation operation, Supplier<InferenceService> factory) {
    var service = new LazyValue<>(factory);
    services.put(operation, service::get);
    handlers.put(
        operation,
        (caller, request, responseFactory) ->
            service.get().serve(caller, request, responseFactory));
  }

  private Map<Operation, OperationHandler> lazyHandlers(
      ServiceContext context, PluginChecks plugins) {
    var operations = new EnumMap<Operation, OperationHandler>(Operation.class);
    operations.putAll(new GenerationService(context).operations());
    operations.putAll(new ListingService(context).operations());
    operations.putAll(new PresetService(context).operations(plugins));
    operations.putAll(new KeyService(context).operations());
    operations.putAll(new DestinationService(context).operations());
    operations.putAll(new ByokService(context).operations());
    operations.putAll(new WorkspaceService(context).operations());
    operations.putAll(new GuardrailService(context).operations());
    operations.putAll(new AssignmentService(context).operations());
    operations.putAll(new AccountReports(context).operations());
    operations.put(
        Operation.OPTIONS,
        (caller, request, responseFactory) -> responseFactory.allow(allowed(request)));
    operations.put(Operation.OTHER_METHOD, this::otherMethod);
    operations.put(
        Operation.UNKNOWN_PATH,
        (caller, request, responseFactory) ->
            responseFactory.error(GatewayError.of(ErrorCode.NOT_FOUND)));
    return operations;
  }

  /**
   * Authenticates a request to a path that the host itself serves in addition to the contract's
   * paths, and returns who sent it.
   *
   * @throws GatewayException 401 without a credential that is known, enabled and not expired; 403
   *     for the wrong kind of key; 429 after too many failures from the same address; 503 when the
   *     store is needed and cannot be reached
   */
  public AuditActor admit(WireRequest request, KeyRequirement keyRequirement) {
    WireRequest located = authentication.withClientAddress(request);
    try {
      return authentication.authenticate(located, keyRequirement).toAuditActor(located.client());
    } catch (StoreUnavailableException outage) {
      log.warn(
          "a {} request to a path of the host was refused: the store is unavailable: {}",
          request.method(),
          outage.getMessage());
      throw STORE_UNAVAILABLE.toException();
    }
  }

  /**
   * Reads a chat request made in this process like a body of {@code POST /chat/completions}: merges
   * its preset, and counts it towards the key's request limit.
   *
   * @throws GatewayException 400 when the body is not a valid request, with every problem; 403 for
   *     a management key; 404 for an unknown preset; 429 when the key's request limit is reached
   */
  public Inference.DecodedRequest read(Caller caller, Json.Obj body) {
    Authenticator.check(caller, KeyRequirement.INFERENCE);
    GatewayError rateLimitError = limits.rates().checkKey(caller.key());
    if (rateLimitError != null) {
      throw rateLimitError.toException();
    }
    WireRequest.Headers noHeaders = name -> null;
    RequestReader.Result readResult = chatRequestReader.read(caller, body, noHeaders);
    return new Inference.DecodedRequest(
        readResult.request(),
        CacheHeaders.of(noHeaders, readResult.cache()),
        readResult.decoding());
  }

  @Override
  public WireResponse handle(WireRequest request) {
    var responseFactory = ResponseFactory.forAnonymous(Routes.envelope(request.path()));
    return runGuarded(
        request,
        responseFactory,
        () -> dispatch(authentication.withClientAddress(request), responseFactory));
  }

  /**
   * Returns the refusal of a request that does not reach the engine, such as one that comes while
   * the host has no gateway yet, in the error envelope of its path.
   *
   * @param path the raw path, as {@link WireRequest#path()} gives it
   */
  public static WireResponse refusal(String path, GatewayError error) {
    return ResponseFactory.forAnonymous(Routes.envelope(path)).error(error);
  }

  /** Turns exceptions into error responses. Logs the operation, never the path a caller wrote. */
  private WireResponse runGuarded(
      WireRequest request, ResponseFactory responseFactory, Supplier<WireResponse> step) {
    try {
      return step.get();
    } catch (GatewayException refusal) {
      return responseFactory.error(refusal.error());
    } catch (StoreUnavailableException outage) {
      log.warn(
          "{} was refused: the store is unavailable: {}", operation(request), outage.getMessage());
      return responseFactory.error(STORE_UNAVAILABLE);
    } catch (RuntimeException | Error bug) {
      log.error("{} failed", operation(request), bug);
      return responseFactory.error(GatewayError.of(ErrorCode.INTERNAL));
    }
  }

  private Operation operation(WireRequest request) {
    return routes.operation(request.method(), request.path());
  }

  private WireResponse dispatch(WireRequest request, ResponseFactory responseFactory) {
    Operation operation = operation(request);
    if (operation == Operation.HEALTH) {
      return responseFactory.ok(HEALTHY);
    }
    Caller caller = authentication.authenticate(request);
    ResponseFactory callerResponses = responseFactory.forCaller(caller);
    return runGuarded(
        request, callerResponses, () -> serve(operation, caller, request, callerResponses));
  }

  private WireResponse serve(
      Operation operation, Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Authenticator.check(caller, operation.keyRequirement());
    GatewayError rateLimitError =
        caller.isManagement() ? null : limits.rates().checkKey(caller.key());
    if (rateLimitError != null) {
      return responseFactory.error(rateLimitError);
    }
    boolean mayHaveBody = mayHaveBody(request.method());
    long bytes = mayHaveBody ? expectedBytes(operation, request) : 0;
    Admission admission =
        caller.isManagement()
            ? limits.admission().admitManagement(bytes)
            : limits.admission().admit(caller.key(), bytes, request.cancellation());
    return switch (admission) {
      case Admission.Refusal refusal -> responseFactory.error(refusal.error());
      case Permit permit -> {
        WireRequest chargedRequest =
            mayHaveBody ? request.withBody(chargedBody(operation, request, permit)) : request;
        yield runAdmitted(
            permit, () -> callHandler(operation, caller, chargedRequest, responseFactory));
      }
    };
  }

  private static ChargedBody chargedBody(Operation operation, WireRequest request, Permit permit) {
    return new ChargedBody(request.body(), permit, operation == Operation.CREATE_BATCH);
  }

  /** Runs a step that holds a permit until the response's body is closed or the step has failed. */
  private static WireResponse runAdmitted(Permit permit, Supplier<WireResponse> step) {
    WireResponse response = null;
    try {
      WireResponse handlerResponse = step.get();
      response =
          new WireResponse(
              handlerResponse.status(),
              handlerResponse.headers(),
              new ReleasingBody(handlerResponse.body(), permit::close));
      return response;
    } finally {
      if (response == null) {
        permit.close();
      }
    }
  }

  private WireResponse callHandler(
      Operation operation, Caller caller, WireRequest request, ResponseFactory responseFactory) {
    OperationHandler eagerHandler = handlers.get(operation);
    OperationHandler handler =
        eagerHandler == null
            ? Objects.requireNonNull(lazyHandlers.get().get(operation), operation::name)
            : eagerHandler;
    return handler.serve(caller, request, responseFactory);
  }

  private static boolean mayHaveBody(String method) {
    return !method.equals("GET") && !method.equals("HEAD");
  }

  /**
   * Returns the bytes to reserve for a body before it is read; 0 when its length is not declared,
   * when it is too large to be read, and for a batch.
   */
  private long expectedBytes(Operation operation, WireRequest request) {
    long declared = BodyReader.declaredLength(request);
    if (operation == Operation.CREATE_BATCH) {
      return 0; // streamed: the bytes held at a time are charged as they are read
    }
    return declared > limits.requestBytes() ? 0 : Math.max(0, declared);
  }

  private WireResponse otherMethod(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.methodNotAllowed(
        GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED), allowed(request));
  }

  private String allowed(WireRequest request) {
    return Objects.requireNonNullElse(routes.allowed(request.path()), "");
  }
}
