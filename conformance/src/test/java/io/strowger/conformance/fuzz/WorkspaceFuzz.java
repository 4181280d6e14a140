package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.WorkspaceTable;
import io.strowger.spi.catalog.Usd;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies of workspaces and their budgets, given any body,")
class WorkspaceFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(WorkspaceFuzz.class, WorkspaceTable.TYPE::create);

  static final Target<ResourceType.Values> UPDATE =
      Target.of(WorkspaceFuzz.class, WorkspaceTable.TYPE::update);

  private static final Target<Usd> BUDGET = Target.of(WorkspaceFuzz.class, WorkspaceTable::budget);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
    BUDGET.check(input);
  }
}
