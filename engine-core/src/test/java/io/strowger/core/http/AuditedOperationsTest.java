package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.http.TwoWorkspaces.Entry;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A new operation does not compile here until this test says whether it is recorded. */
@DisplayName("The audit log")
class AuditedOperationsTest {
  private final TwoWorkspaces workspaces = new TwoWorkspaces();

  @AfterEach
  void close() {
    workspaces.close();
  }

  /** Returns the action in the entry of the operation; null when the operation is not recorded. */
  private static @Nullable String action(Operation operation) {
    return switch (operation) {
      case CREATE_KEY -> "key.create";
      case UPDATE_KEY -> "key.update";
      case DELETE_KEY -> "key.delete";
      case ROTATE_KEY -> "key.rotate";
      case CREATE_BYOK_KEY -> "byok.create";
      case UPDATE_BYOK_KEY -> "byok.update";
      case DELETE_BYOK_KEY -> "byok.delete";
      case CREATE_GUARDRAIL -> "guardrail.create";
      case UPDATE_GUARDRAIL -> "guardrail.update";
      case DELETE_GUARDRAIL -> "guardrail.delete";
      case ASSIGN_KEYS, ASSIGN_MEMBERS -> "guardrail.assign";
      case UNASSIGN_KEYS, UNASSIGN_MEMBERS -> "guardrail.unassign";
      case CREATE_WORKSPACE -> "workspace.create";
      case UPDATE_WORKSPACE, SET_BUDGET, DELETE_BUDGET -> "workspace.update";
      case DELETE_WORKSPACE -> "workspace.delete";
      case PRESET_FROM_CHAT, PRESET_FROM_MESSAGES, PRESET_FROM_RESPONSES -> "preset.create";
      case HEALTH, CURRENT_KEY, CREDITS, LIST_MEMBERS, LIST_AUDIT_LOG -> null;
      case CHAT, MESSAGES, COUNT_TOKENS, RESPONSES -> null;
      case LIST_KEYS, GET_KEY, LIST_BYOK_KEYS, GET_BYOK_KEY -> null;
      case LIST_GUARDRAILS, GET_GUARDRAIL, LIST_KEY_ASSIGNMENTS, LIST_MEMBER_ASSIGNMENTS -> null;
      case LIST_WORKSPACES, GET_WORKSPACE, LIST_BUDGETS -> null;
      case LIST_PRESETS, GET_PRESET, LIST_PRESET_VERSIONS, GET_PRESET_VERSION -> null;
      case GET_GENERATION, GET_GENERATION_CONTENT, SEND_FEEDBACK -> null;
      case LIST_MODELS, COUNT_MODELS, LIST_USABLE_MODELS, GET_MODEL, LIST_MODEL_ENDPOINTS -> null;
      case LIST_PROVIDERS, LIST_ZDR_ENDPOINTS -> null;
      case OPTIONS, OTHER_METHOD, UNKNOWN_PATH -> null;
      case EMBEDDINGS, SPEECH, RERANK, IMAGES, TRANSCRIPTIONS -> null;
      case CREATE_BATCH, LIST_BATCHES, GET_BATCH, DELETE_BATCH -> null;
      case CREATE_DESTINATION -> "destination.create";
      case UPDATE_DESTINATION -> "destination.update";
      case DELETE_DESTINATION -> "destination.delete";
      case LIST_DESTINATIONS, GET_DESTINATION, TEST_DESTINATION -> null;
    };
  }

  /** Creates what the operation undoes, or removes what prevents it. */
  private void prepare(Operation operation) {
    switch (operation) {
      case UNASSIGN_KEYS -> ask(Operation.ASSIGN_KEYS);
      case UNASSIGN_MEMBERS -> ask(Operation.ASSIGN_MEMBERS);
      case DELETE_BUDGET -> ask(Operation.SET_BUDGET);
      case DELETE_WORKSPACE -> ask(Operation.DELETE_KEY);
      default -> {
        // needs no preparation
      }
    }
  }

  private int ask(Operation operation) {
    Entry entry = TwoWorkspaces.entry(operation);
    String resourceName = entry.resourceName();
    String resource =
        resourceName == null ? "$" : Objects.requireNonNull(workspaces.resources.get(resourceName));
    return workspaces.ask(TwoWorkspaces.ADMIN, entry, resource).status();
  }

  private List<String> actions() {
    Json.Obj answer =
        TwoWorkspaces.json(workspaces.send(TwoWorkspaces.ADMIN, "GET", "/audit-log?limit=100", ""));
    Json.Arr entries = Objects.requireNonNull(answer.list("data"), answer::toString);
    var actions = new ArrayList<String>();
    for (int i = entries.size() - 1; i >= 0; i--) {
      actions.add(((Json.Obj) entries.get(i)).text("action"));
    }
    return actions;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("has one entry for each operation that changes something, and none for the others")
  void recorded(Operation operation) {
    prepare(operation);
    int before = actions().size();
    int status = ask(operation);
    List<String> recorded = actions();
    recorded = recorded.subList(before, recorded.size());
    String action = action(operation);
    if (action == null) {
      assertThat(recorded).isEmpty();
    } else {
      assertThat(status).isIn(200, 201);
      assertThat(recorded).filteredOn(action::equals).hasSize(1);
      assertThat(recorded)
          .as("beside it only entries of what is deleted with it")
          .allMatch(
              recordedAction ->
                  recordedAction.equals(action) || recordedAction.endsWith(".delete"));
    }
  }
}
