package io.strowger.core.http;

import io.strowger.core.audit.AuditLog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.Queries.AuditList;
import io.strowger.core.resource.Queries;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.store.AuditStore;

/**
 * {@code GET /audit-log}: who changed what in the account, the last change first. Safe on any
 * thread.
 */
record AuditService(ResourceServices resources, int problemLimit) {
  WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    AuditList asked = Queries.auditLog(request.query(), problems);
    var workspaces = new WorkspaceNames(resources.account().workspaces());
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    AuditStore.Page page =
        resources
            .stores()
            .audit()
            .list(
                new AuditStore.Filter(
                    workspace,
                    asked.createdAfter(),
                    asked.createdBefore(),
                    (int) Math.min(asked.page().offset(), Integer.MAX_VALUE),
                    asked.page().limit()));
    return responseFactory.list(
        page.entries().stream().map(AuditLog::shown).toList(), page.total());
  }
}
