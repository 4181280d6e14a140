package io.strowger.core.http;

import io.strowger.core.administration.AccountState;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.AccountMember;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.AuditList;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The read-only reports on the account: its audit log, its credits and its members. Resources fact
 * sheet, section 1. Safe on any thread.
 */
record AccountReports(ServiceContext context) {
  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.LIST_AUDIT_LOG, this::auditLog,
        Operation.CREDITS, this::credits,
        Operation.LIST_MEMBERS, this::members);
  }

  /** {@code GET /audit-log}: the changes in the account, the latest first. */
  private WireResponse auditLog(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    AuditList query = Queries.auditLog(request.query(), problems);
    String workspace = context.workspaceInQuery(query.workspaceId(), problems);
    problems.throwIfAny();
    AuditStore.Page page =
        context
            .resources()
            .stores()
            .audit()
            .list(
                new AuditStore.Filter(
                    workspace,
                    query.createdAfter(),
                    query.createdBefore(),
                    (int) Math.min(query.page().offset(), Integer.MAX_VALUE),
                    query.page().limit()));
    return responseFactory.list(
        page.entries().stream().map(AuditLog::toJson).toList(), page.total());
  }

  /** {@code GET /credits}: the account's total credits and how much of them was spent. */
  private WireResponse credits(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    AccountState account = context.account();
    Instant now = context.resources().ambient().now();
    Usd used =
        context
            .resources()
            .ledger()
            .balance(account.payer(), Period.LIFETIME, now)
            .settled()
            .credits();
    return responseFactory.dataOrNotFound(
        Json.object()
            .put("total_credits", account.credits().json())
            .put("total_usage", used.json())
            .build());
  }

  /** {@code GET /organization/members}: the members of the account. */
  private WireResponse members(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    PageRequest page = Queries.page(request.query(), problems);
    problems.throwIfAny();
    List<AccountMember> accountMembers = context.account().members();
    List<Json.Obj> items =
        accountMembers.stream()
            .skip(page.offset())
            .limit(page.limit())
            .map(AccountReports::json)
            .toList();
    return responseFactory.list(items, accountMembers.size());
  }

  private static Json.Obj json(AccountMember member) {
    return Json.object()
        .put("id", member.id())
        .putOrNull("first_name", member.firstName())
        .putOrNull("last_name", member.lastName())
        .putOrNull("email", member.email())
        .put("role", "org:" + member.role().wireName())
        .build();
  }
}
