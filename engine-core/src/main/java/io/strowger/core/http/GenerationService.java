package io.strowger.core.http;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.authentication.Caller;
import io.strowger.core.record.GenerationView;
import io.strowger.core.record.Generations;
import io.strowger.core.resource.Feedback;
import io.strowger.core.resource.Queries;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore.Generation;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code /generation}: the record of a request, its content if the account stores content, and
 * feedback on it. Resources fact sheet, section 7. Safe on any thread.
 */
final class GenerationService {
  private static final String FEEDBACK = "feedback";

  /** The form of a generation id. Some databases fail on other texts. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,200}");

  private final ServiceContext context;
  private final DocumentRepository feedback;

  GenerationService(ServiceContext context) {
    this.context = context;
    ResourceServices resources = context.resources();
    this.feedback = new DocumentRepository(resources.watch(), FEEDBACK, resources.ambient());
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.GET_GENERATION, this::get,
        Operation.GET_GENERATION_CONTENT, this::content,
        Operation.SEND_FEEDBACK, this::feedback);
  }

  /** {@code GET /generation?id}. */
  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(GenerationView.of(requestedGeneration(caller, request)));
  }

  /** {@code GET /generation/content?id}. Answers 404 when no content was stored. */
  private WireResponse content(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.dataOrNotFound(
        GenerationView.content(requestedGeneration(caller, request)));
  }

  private Generation requestedGeneration(Caller caller, WireRequest request) {
    var problems = context.newProblems();
    String id = Queries.generation(request.query(), problems);
    problems.throwIfAny();
    return requireVisible(id, caller);
  }

  /**
   * Returns a generation the caller may see: any of the account for a management key, any of the
   * key's workspace for other keys. For any other id the answer is the same as for an id that does
   * not exist.
   */
  private Generation requireVisible(String id, Caller caller) {
    Generation generation =
        ID.matcher(id).matches() ? context.resources().stores().generations().find(id) : null;
    if (generation == null || !Generations.isVisible(generation, caller)) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return generation;
  }

  /** {@code POST /generation/feedback}. */
  private WireResponse feedback(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    Feedback entry =
        problems.requireValid(Feedback.read(context.bodyReader().read(request), problems));
    store(entry, requireVisible(entry.generation(), caller), caller);
    return responseFactory.dataOrNotFound(Json.object().put("success", true).build());
  }

  /** Stores feedback as a new document, since a generation may get feedback more than once. */
  private void store(Feedback entry, Generation generation, Caller caller) {
    Json.Obj body =
        Json.object()
            .put("generation_id", generation.id())
            .put("category", entry.category())
            .putOrNull("comment", entry.comment())
            .put("creator_user_id", caller.user())
            .build();
    feedback.add(
        feedback.newDocument(
            Uuids.next(context.resources().ambient()).toString(), generation.id(), body));
  }
}
