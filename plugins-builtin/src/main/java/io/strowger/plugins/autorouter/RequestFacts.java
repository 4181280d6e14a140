package io.strowger.plugins.autorouter;

import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the automatic routers read from a request; recorded with the decision.
 *
 * @param hasMessages whether the request has messages
 * @param task the label of the task; null when it could not be determined
 * @param classifierFailed whether the classifier threw or returned an invalid label
 * @param pinnedModel the id of the model to continue with; null when none is asked for or known
 */
record RequestFacts(
    boolean hasMessages,
    @Nullable String task,
    boolean classifierFailed,
    @Nullable String pinnedModel) {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_]++(:[a-z0-9_]++)?");
  private static final String NO_MESSAGES = "no_messages";
  private static final String TASK = "task_type";
  private static final String FAILED = "classifier_failed";
  private static final String PINNED = "pinned";
  private static final String CODE = "code:";
  private static final int MAX_NAME = 256; // characters of a model's name

  static RequestFacts of(
      InferenceRequest request, TaskClassifier classifier, boolean pinsModel, Catalog catalog) {
    boolean hasMessages = !request.messages().isEmpty();
    String pinnedModel = pinsModel ? latestModel(request, catalog) : null;
    try {
      String label = classifier.classify(request);
      boolean isInvalid = label != null && !isLabel(label);
      return new RequestFacts(hasMessages, isInvalid ? null : label, isInvalid, pinnedModel);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return new RequestFacts(hasMessages, null, true, pinnedModel); // never fails the request
    }
  }

  private static boolean isLabel(String label) {
    return label.length() <= TaskClassifier.MAX_LABEL_CHARS && LABEL.matcher(label).matches();
  }

  /** Returns the catalog id of the latest answer's model; null when the catalog lacks it. */
  private static @Nullable String latestModel(InferenceRequest request, Catalog catalog) {
    for (int i = request.messages().size() - 1; i >= 0; i--) {
      Message message = request.messages().get(i);
      if (message.role() == Message.Role.ASSISTANT) {
        boolean hasName =
            message.extras().get("model") instanceof Json.Str name && name.utf8Bound() <= MAX_NAME;
        String name = hasName ? message.extras().text("model") : null;
        ModelInfo model = name == null ? null : catalog.model(name);
        return model == null ? null : model.id();
      }
    }
    return null;
  }

  Json.Obj toJson() {
    var json = Json.object();
    if (!hasMessages) {
      json.put(NO_MESSAGES, true);
    }
    if (task != null) {
      json.put(TASK, task);
    }
    if (classifierFailed) {
      json.put(FAILED, true);
    }
    if (pinnedModel != null) {
      json.put(PINNED, pinnedModel);
    }
    return json.build();
  }

  /** Reads facts as recorded, as far as this version understands them. */
  static RequestFacts from(Json facts) {
    return facts instanceof Json.Obj object
        ? new RequestFacts(
            !Json.TRUE.equals(object.get(NO_MESSAGES)),
            object.text(TASK),
            Json.TRUE.equals(object.get(FAILED)),
            object.text(PINNED))
        : new RequestFacts(true, null, false, null);
  }

  boolean isCode() {
    return task != null && task.startsWith(CODE);
  }
}
