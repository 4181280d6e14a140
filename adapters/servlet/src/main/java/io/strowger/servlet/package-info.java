/**
 * The HTTP API of a gateway as a servlet, for applications that already have a servlet container.
 * Start reading at {@link io.strowger.servlet.GatewayServlet}.
 */
@NullMarked
package io.strowger.servlet;

import org.jspecify.annotations.NullMarked;
