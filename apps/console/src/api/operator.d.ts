// Made from operator.json: npm run openapi.
export interface paths {
    "/operator/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in
         * @description Sends the browser to the identity provider: authorization code with PKCE.
         */
        get: operations["signIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/sign-in/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a sign-in
         * @description Where the identity provider sends the browser back to. A sign-in can be finished once.
         */
        get: operations["finishSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/sign-in/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by the link of a sandbox
         * @description The link that a sandbox prints at its start. It can be used once.
         */
        post: operations["useSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who calls
         * @description The subject and its roles; of a session also the token that its changes need.
         */
        get: operations["readSession"];
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description Ends the session of the caller.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out everywhere
         * @description Ends all sessions of the caller, in every browser. Tokens of machines end by their own time.
         */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how the service does
         * @description Throughput, also by day, failing callbacks, parked records, lag and certificates. Counts read an index; the rest is what processes know. It may be four seconds old: `read_time`. What concerns no workspace needs a role in all of them.
         */
        get: operations["readOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search requests
         * @description Each order is read from an index. Filters beside it may refuse much of what the order gives: a page is returned short once it has read 5000 requests.
         */
        get: operations["listOperatorRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/request-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count requests that have not ended
         * @description Counts read an index. They may be four seconds old: `counted_time`.
         */
        get: operations["countOperatorRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one request
         * @description The facts that the gateway has of a request. Whom it is about is never shown here.
         */
        get: operations["readOperatorRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the callbacks of a request with their attempts
         * @description As its controller sees them, with a hash in place of each URL. The tag of every page is that of the whole list.
         */
        get: operations["listOperatorCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/extension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend the legal date of a request
         * @description Once, and before it is over. The event log names the role of the caller, the audit trail the caller. The controller must inform the data subject.
         */
        post: operations["extendLegalDate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a request on behalf of its controller
         * @description While it is pending, as its controller can. Callbacks are sent.
         */
        post: operations["cancelOnBehalf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/participants/{name}/waiver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Waive an outside participant
         * @description Ends the wait for a participant that will not report. Controllers see it as skipped, within seconds. It changes nothing where the request no longer waits for it.
         */
        post: operations["waiveParticipant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/callbacks/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback again
         * @description The same bytes with the same `X-Delivery-Id`, with the usual retries.
         */
        post: operations["replayOperatorCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show whom a request is about
         * @description The audit trail and the transparency log have an entry of it before the answer. Where a second person must approve, the first call is answered with 202, and the next one with the identities, within an hour of the approval and once. It has a limit of its own.
         */
        post: operations["revealIdentities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/reveals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wishes that a second person must approve
         * @description Of the workspaces whose identities the caller may see. A wish counts for a day.
         */
        get: operations["listReveals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/reveals/{id}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve that an operator sees whom a request is about
         * @description By somebody else than who asks. The audit trail records it first, with the reason.
         */
        post: operations["approveReveal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the story of a request
         * @description What is known to have happened, in the order of time: the admission, decisions, reports of participants, callbacks with their last attempts, attestations, entries of the audit trail, of those of participants the newest 200, and the first 200 parked records of each service; `GET /parked` with the key of the request lists them all.
         */
        get: operations["listOperatorEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what each service holds about a request
         * @description What `dsr requests show` reads: the participants and unpublished events of the request service, the queue of each callback URL, the archive of results, the erasure of ingestion. The gateway’s own part is the request itself.
         */
        get: operations["readOperatorServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/attestation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the attestation of a request with the proof that it is in the public log
         * @description The same bundle as its controller gets, within seconds after the end (docs/evidence.md).
         */
        get: operations["readOperatorAttestation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/log-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the transparency log that belong to a request
         * @description The log itself names no request: only the installation knows them.
         */
        get: operations["listOperatorLogEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/requests/{ws}/{srid}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the records of a request on the event log
         * @description Reads the partition of the request’s key on each topic of requests, from its receipt on. A page reads at most 32 MiB in about 5 s, of whatever request, and says where it stopped and what the retention has removed. A process reads 2 pages at the same time; beyond that the answer is 503.
         */
        get: operations["listOperatorRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear which requests change
         * @description Server-sent events: `changed`, a second or two after a request, its callbacks or its participants change. A stream ends after ten minutes at the latest, and browsers open it again by themselves. 429 where too many are open.
         */
        get: operations["watchOperatorChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit trail
         * @description Who asked for what, when and why: operators by the API and by `dsr`, and participants that read identities. Filters may refuse much: a page is returned short once it has read 5000 entries.
         */
        get: operations["listOperatorAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/destinations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hosts that receive callbacks
         * @description Each host of each workspace with its last attempt, its breaker, and what waits for it.
         */
        get: operations["listDestinations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/destinations/{ws}/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one host that receives callbacks
         * @description With the requests that wait for it. 503 while the callback-dispatcher does not answer.
         */
        get: operations["readDestination"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parked records
         * @description Records that a service could not handle, without their values. Keys of outsiders are hashes.
         */
        get: operations["listParked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked/{service}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one parked record
         * @description With our headers and what waits behind it. 503 while its service does not answer.
         */
        get: operations["readParked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked/{service}/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have parked records handled again
         * @description As `dsr parked redrive`, without a filter all of the service, at most 1,000 records a call: `next_cursor` says where the next one goes on.
         */
        post: operations["redriveMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked/{service}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give parked records up
         * @description Each as if it were given up alone, with those before it in the log, but those of them that wait behind it go first, so that the service handles none of them meanwhile. Each has its own entry of the audit trail and its own leaf of the transparency log, at most 100 a call: `next_cursor` says where the next one goes on. A failure after the first record ends the call there. It needs a workspace, a reason of parking or a key.
         */
        post: operations["dropMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked/{service}/{id}/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have one parked record handled again
         * @description The records behind it follow.
         */
        post: operations["redriveOne"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/parked/{service}/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a parked record up
         * @description What it asked for never happens. The transparency log has a leaf of it before.
         */
        post: operations["dropParked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how the services are
         * @description Each as one of its processes knows it, with lag, outboxes, certificates and settings without secrets. It needs a role in all workspaces.
         */
        get: operations["readSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/transparency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how the transparency log is
         * @description Its size, its newest checkpoint, and its witnesses. Leaves and tiles are public.
         */
        get: operations["readTransparency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description Those that the roles of the caller reach.
         */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces/{ws}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one workspace
         * @description With its calendar and its limits.
         */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces/{ws}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a workspace
         * @description Without their secrets.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description It is in force at once. Its secret is shown here and never again.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces/{ws}/api-keys/{key}/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key without an interruption
         * @description A new key with the same scopes. The old one ends after the overlap.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces/{ws}/api-keys/{key}/revocation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an API key for good
         * @description Every process refuses it within 30 seconds.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/workspaces/{ws}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the outside participants of a workspace
         * @description By name, all at once.
         */
        get: operations["listParticipantsOfWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all outside participants
         * @description It needs a role in all workspaces.
         */
        get: operations["listParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The link that a sandbox prints at its start. */
        SignInLink: {
            /** @description What stands behind `#` in the link: its secret. */
            token: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Why an operator decides. */
        OperatorDecision: {
            /** @description One line for people. It is sealed under the key of the request, as everything personal is, and unreadable once that key is destroyed. */
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Which parked records of a service are changed, and why. */
        OperatorManyRecords: {
            /** @description One line for people, kept in clear in the audit trail: name no person. */
            reason: string;
            /** @description Those of this workspace. Without it, a role in all workspaces is needed. */
            workspace?: string | null;
            /**
             * Format: uuid
             * @description Those of this request of the workspace.
             */
            subject_request_id?: string | null;
            /** @description Those that were parked for this reason. */
            parked_reason?: string | null;
            /**
             * @description Those that block others, wait, or stand aside.
             * @enum {string|null}
             */
            kind?: "blocking" | "waiting" | "aside" | null;
            /** @description Those of this key, as records show it. */
            key?: string | null;
            /** @description `next_cursor` of the call before, with the same other fields. */
            cursor?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What a key is made for. */
        OperatorCreateKey: {
            /** @description One line for people, kept in clear in the audit trail: name no person. */
            reason: string;
            /** @description What it gives access to. */
            scopes: ("dsr" | "ingest")[];
            /** @description After which time the key ends, such as `90d`; at least `30s`. Without it the key does not expire. */
            expires_in?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description How a key is replaced. */
        OperatorRotateKey: {
            /** @description One line for people, kept in clear in the audit trail: name no person. */
            reason: string;
            /** @description How long the old key stays in force, at least `30s`; by default `24h`. */
            overlap?: string | null;
            /** @description After which time the key ends, such as `90d`; at least `30s`. Without it the key does not expire. */
            expires_in?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Who calls, and what for. */
        OperatorSession: {
            /** @description The subject of the token, as the audit trail names it. */
            subject: string;
            /** @description The roles, each in one workspace or in all. */
            roles: {
                /**
                 * @description What the caller may do.
                 * @enum {string}
                 */
                role: "viewer" | "operator" | "officer" | "admin";
                /** @description Null: in all workspaces. */
                workspace: string | null;
                /** @description What `x-needs` of an operation may be for this role. */
                allows: ("read" | "repair" | "decide" | "reveal" | "audit" | "administer")[];
            }[];
            /** @description What changes by this session need in `X-CSRF-Token`. Null with a bearer token, which needs none. */
            csrf_token: string | null;
            /**
             * Format: date-time
             * @description When the session ends at the latest. Null with a bearer token.
             */
            ends_time: string | null;
        };
        /** @description How the service does, beside the counts of requests that have not ended. */
        OperatorOverview: {
            /**
             * Format: date-time
             * @description When it was read: nothing that happened before is missing.
             */
            read_time: string;
            /** @description How many were received. */
            received: {
                /** @description In the last 24 hours. */
                day: number;
                /** @description In the last seven days. */
                week: number;
            };
            /** @description How many were completed or cancelled. */
            ended: {
                /** @description In the last 24 hours. */
                day: number;
                /** @description In the last seven days. */
                week: number;
            };
            /** @description The same for each of the last days in UTC, the earliest first. The last of them is not over. */
            days: {
                /**
                 * Format: date
                 * @description The day, in UTC.
                 */
                day: string;
                /** @description How many were received. */
                received: number;
                /** @description How many were completed or cancelled. */
                ended: number;
            }[];
            /** @description Requests with a failing callback; the count stops at 10000. */
            callbacks_failing: number;
            /** @description Hosts that receive callbacks. Null while the callback-dispatcher does not answer. */
            destinations: {
                /** @description Whose last attempt failed. */
                failing: number;
                /** @description That were unreachable so often that only probes are sent. */
                paused: number;
            } | null;
            /** @description What concerns no workspace, of the services that answered. Null without a role in all workspaces. */
            service: {
                /** @description How many records are parked. */
                parked: {
                    /** @description Those that hold back later records of their key, and those that wait. */
                    blocking: number;
                    /** @description Those that hold nothing back. */
                    aside: number;
                };
                /** @description How many records the consumer group that is furthest behind has not handled. */
                consumer_lag: number;
                /** @description The age of the oldest entry that waits to be published; 0 where none waits. */
                oldest_outbox_seconds: number;
                /** @description The certificate that signs receipts and callbacks, and ends first. Null where none is known. */
                first_certificate: {
                    /**
                     * @description The version of the protocol.
                     * @enum {string}
                     */
                    version: "v2" | "v1";
                    /**
                     * Format: date-time
                     * @description When it ends.
                     */
                    ends_time: string;
                    /** @description Whole days until then; negative once it has ended. */
                    days_left: number;
                } | null;
            } | null;
            /** @description Services that did not answer in time: what they have is missing. */
            unavailable: string[];
        };
        /** @description A request in a list, without personal data. */
        OperatorRequest: {
            /** @description The workspace that the request belongs to. */
            workspace: string;
            /**
             * Format: uuid
             * @description The id of the request.
             */
            subject_request_id: string;
            /** @description The id of the controller. */
            controller_id: string;
            /**
             * @description What the data subject asks for.
             * @enum {string}
             */
            subject_request_type: "access" | "portability" | "erasure";
            /**
             * @description The law by which its time is counted. Null where an earlier version received it.
             * @enum {string|null}
             */
            regulation: "gdpr" | "ccpa" | null;
            /**
             * @description The status.
             * @enum {string}
             */
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            /**
             * @description How it stands to its legal date. Null once it has ended, or without such a date.
             * @enum {string|null}
             */
            legal_state: "on_track" | "at_risk" | "overdue" | null;
            /**
             * Format: date-time
             * @description When it was received.
             */
            received_time: string;
            /**
             * Format: date-time
             * @description As last announced to its controller.
             */
            expected_completion_time: string;
            /**
             * Format: date-time
             * @description The legal date that counts now, with its extension. Null where none was counted.
             */
            legal_due_time: string | null;
            /** @description Whether its legal date was extended. */
            extended: boolean;
            /**
             * Format: date-time
             * @description When it was completed or cancelled.
             */
            ended_time: string | null;
            /** @description Whether the last attempt of a callback failed that could be delivered yet, by itself or by a replay. */
            callbacks_failing: boolean;
        };
        /** @description A page of requests. */
        OperatorRequestList: {
            /** @description In the order of the list. It may be shorter than asked for, and even empty, with a further page. */
            requests: components["schemas"]["OperatorRequest"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description How many requests have not ended. Each count stops at 10000. */
        OperatorRequestCounts: {
            /**
             * Format: date-time
             * @description When they were counted: nothing that happened before is missing.
             */
            counted_time: string;
            /** @description That have not ended. */
            open: number;
            /** @description That have not started. */
            pending: number;
            /** @description That have started. */
            in_progress: number;
            /** @description Neither at risk nor overdue. */
            on_track: number;
            /** @description At risk to miss their legal date, which is not over. */
            at_risk: number;
            /** @description Whose legal date is over. */
            overdue: number;
            /** @description Whose legal date is within seven days. */
            due_within_week: number;
            /** @description That were received more than seven days ago. */
            open_over_7_days: number;
            /** @description That were received more than 30 days ago. */
            open_over_30_days: number;
            /** @description That were received more than 60 days ago. */
            open_over_60_days: number;
        };
        /** @description A request with what the gateway knows of it, without personal data. */
        OperatorRequestStory: {
            /** @description The workspace that the request belongs to. */
            workspace: string;
            /**
             * Format: uuid
             * @description The id of the request.
             */
            subject_request_id: string;
            /** @description The id of the controller. */
            controller_id: string;
            /**
             * @description What the data subject asks for.
             * @enum {string}
             */
            subject_request_type: "access" | "portability" | "erasure";
            /**
             * @description The law by which its time is counted. Null where an earlier version received it.
             * @enum {string|null}
             */
            regulation: "gdpr" | "ccpa" | null;
            /**
             * @description The status.
             * @enum {string}
             */
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            /**
             * @description How it stands to its legal date. Null once it has ended, or without such a date.
             * @enum {string|null}
             */
            legal_state: "on_track" | "at_risk" | "overdue" | null;
            /**
             * Format: date-time
             * @description When it was received.
             */
            received_time: string;
            /**
             * Format: date-time
             * @description As last announced to its controller.
             */
            expected_completion_time: string;
            /**
             * Format: date-time
             * @description The legal date that counts now, with its extension. Null where none was counted.
             */
            legal_due_time: string | null;
            /** @description Whether its legal date was extended. */
            extended: boolean;
            /**
             * Format: date-time
             * @description When it was completed or cancelled.
             */
            ended_time: string | null;
            /** @description Whether the last attempt of a callback failed that could be delivered yet, by itself or by a replay. */
            callbacks_failing: boolean;
            /** @description The version of the interface that it was made with. */
            api_version: string;
            /** @description When what happened, or will. */
            times: {
                /**
                 * Format: date-time
                 * @description When the data subject asked, by its controller.
                 */
                submitted: string;
                /**
                 * Format: date-time
                 * @description From when on the law counts.
                 */
                legal_since: string | null;
                /**
                 * Format: date-time
                 * @description The legal date before an extension.
                 */
                first_legal_due: string | null;
                /**
                 * Format: date-time
                 * @description From when on it is at risk to miss its legal date.
                 */
                at_risk: string | null;
                /**
                 * Format: date-time
                 * @description When its legal date was extended.
                 */
                extended: string | null;
                /**
                 * Format: date-time
                 * @description When it starts, while it is pending.
                 */
                start: string | null;
                /**
                 * Format: date-time
                 * @description When it started.
                 */
                started: string | null;
                /**
                 * Format: date-time
                 * @description When it was completed.
                 */
                completed: string | null;
                /**
                 * Format: date-time
                 * @description When it was cancelled.
                 */
                cancelled: string | null;
                /**
                 * Format: date-time
                 * @description From when on its key is destroyed.
                 */
                key_due: string | null;
                /**
                 * Format: date-time
                 * @description When its key was destroyed.
                 */
                key_destroyed: string | null;
            };
            /** @description The role that extended its legal date. */
            extended_by: string | null;
            /** @description Requests of its group; null without one. */
            group_size: number | null;
            /**
             * @description Its key. `lost`: it does not exist, and was not destroyed by this service.
             * @enum {string}
             */
            key: "alive" | "destroyed" | "lost";
            /** @description The number of its last decision. */
            decisions: number;
            /** @description The last request event that the gateway has seen. */
            event_version: number;
            /** @description Commands that the request service has not answered. */
            waiting_commands: {
                /** @description The number of the decision. */
                number: number;
                /** @description What was decided. */
                type: string;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 */
                time: string;
            }[];
            /** @description The outside participants, once it has started. */
            participants: {
                /** @description The participant. */
                name: string;
                /** @description How far its share is. */
                status: string;
            }[];
            /** @description Callback URLs that are not settled. */
            open_destinations: number;
        };
        /** @description One callback: one status of a request, for one of its URLs. */
        OperatorCallback: {
            /** @description `X-Delivery-Id` of every attempt. */
            delivery_id: string;
            /** @description A keyed hash of the URL, which is never shown here. */
            destination: string;
            /**
             * @description The status that it reports.
             * @enum {string}
             */
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            /**
             * Format: date-time
             * @description When the request reached that status; null where that was not recorded.
             */
            status_time: string | null;
            /**
             * @description How it stands.
             * @enum {string}
             */
            state: "waiting" | "delivered" | "given_up";
            /**
             * @description Why it was given up.
             * @enum {string|null}
             */
            reason: "gone" | "exhausted" | "key_destroyed" | null;
            /** @description All attempts, including replays. */
            attempt_count: number;
            /**
             * Format: date-time
             * @description The earliest time of the next attempt.
             */
            next_attempt_time: string | null;
            /** @description The last 50 attempts, the earliest first. */
            attempts: {
                /** @description Counted from 1. */
                attempt: number;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                time: string;
                /**
                 * @description What became of it.
                 * @enum {string}
                 */
                outcome: "delivered" | "rejected" | "gone" | "unreachable" | "postponed";
                /** @description The status of the answer. */
                http_status: number | null;
                /** @description How long the answer took, in milliseconds. */
                duration_ms: number | null;
            }[];
        };
        /** @description A page of the callbacks of a request. */
        OperatorCallbackList: {
            /** @description Grouped by URL, in the order of the status changes. */
            callbacks: components["schemas"]["OperatorCallback"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description Something that happened to a request, without personal data. */
        OperatorHistoryEntry: {
            /** @description Names the entry within the request. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened, by the clock of the process that did it.
             */
            time: string;
            /**
             * @description What happened. `noted`: an entry of the audit trail. `command_waiting`: a decision that the request service has not answered. `callback_due`: the next attempt, at the time at which it is due. `parked`: a record that a service set aside.
             * @enum {string}
             */
            kind: "received" | "started" | "participant_reported" | "extended" | "completed" | "cancelled" | "command_waiting" | "callback_queued" | "callback_attempted" | "callback_due" | "attested" | "key_destroyed" | "noted" | "parked";
            /** @description What is known of it; which fields there are, its kind says. */
            facts: {
                /** @description The participant. */
                participant?: string;
                /** @description What it reported. */
                participant_status?: string;
                /** @description The role by which an operator decided. */
                role?: string;
                /**
                 * Format: date-time
                 * @description The legal date until which it was extended.
                 */
                until?: string;
                /** @description What was decided. */
                command?: string;
                /** @description The number of the decision. */
                number?: number;
                /** @description `X-Delivery-Id` of the callback. */
                delivery_id?: string;
                /** @description A keyed hash of its URL. */
                destination?: string;
                /**
                 * @description The status that it reports.
                 * @enum {string}
                 */
                request_status?: "pending" | "in_progress" | "completed" | "cancelled";
                /** @description The number of the attempt. */
                attempt?: number;
                /**
                 * @description What became of the attempt.
                 * @enum {string}
                 */
                outcome?: "delivered" | "rejected" | "gone" | "unreachable" | "postponed";
                /** @description The status of the answer. */
                http_status?: number;
                /** @description How long the answer took, in milliseconds. */
                duration_ms?: number;
                /** @description Which attestation. */
                statement?: number;
                /** @description What the audit trail noted. */
                action?: string;
                /** @description The service that parked a record. */
                service?: string;
                /** @description The topic of the parked record. */
                topic?: string;
                /** @description Why it was parked. */
                reason?: string;
            };
        };
        /** @description A page of what happened to a request. */
        OperatorHistory: {
            /** @description The earliest first, and none before its cause. */
            events: components["schemas"]["OperatorHistoryEntry"][];
            /** @description For the next page; null where the story ends. */
            next_cursor: string | null;
            /** @description Services that did not answer in time: their parked records are missing. */
            unavailable: string[];
        };
        /** @description A page of the entries of the transparency log that belong to a request. */
        OperatorLogEntries: {
            /** @description In the order of the log. */
            entries: {
                /** @description The place in the log, counted from 0. */
                index: number;
                /** @description What the entry is about (docs/evidence.md). */
                kind: string;
                /**
                 * Format: date-time
                 * @description When that happened.
                 */
                time: string;
                /** @description SHA-256 of the document, base64url. */
                digest: string;
                /**
                 * Format: date-time
                 * @description The legal date that it names.
                 */
                due_time: string | null;
                /** @description Whether the newest checkpoint covers it. */
                is_covered: boolean;
            }[];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description What each service holds about a request: its queues, its archive, its erasure. */
        OperatorRequestStates: {
            /** @description By service. Null: it takes no part in the request, or did not answer in time. */
            services: {
                request: {
                    /** @description Its status in this service: `fulfilled` until `completed` is decided. */
                    status: string;
                    /** @description The version of its last event. */
                    event_version: number;
                    /** @description The number of the last command that it has handled. */
                    decisions: number;
                    /** @description Events that are not on the event log yet. */
                    unpublished_events: {
                        /** @description Its type. */
                        type: string;
                        /** @description Its version. */
                        version: number;
                        /**
                         * Format: date-time
                         * @description When it happened.
                         */
                        time: string;
                    }[];
                    /** @description Who takes part. */
                    participants: {
                        /** @description Its name. */
                        name: string;
                        /** @description What it reported last; `awaited`: nothing. */
                        status: string;
                        /**
                         * Format: date-time
                         * @description When.
                         */
                        time: string | null;
                    }[];
                } | null;
                "callback-dispatcher": {
                    /** @description A queue for each callback URL. */
                    destinations: {
                        /** @description Stands for the URL: a keyed hash. */
                        destination: string;
                        /** @description The version of the last event that it knows. */
                        event_version: number;
                        /**
                         * Format: date-time
                         * @description When something is sent next, or when the claim ends.
                         */
                        next_attempt_time: string | null;
                        /** @description A process is sending. */
                        is_claimed: boolean;
                        /** @description Its host was unreachable: the first success of the host brings it forward. */
                        is_postponed: boolean;
                        /** @description How often the first callback in line failed. */
                        failed_attempts: number;
                        /**
                         * Format: date-time
                         * @description Since when.
                         */
                        failing_since: string | null;
                        /**
                         * Format: date-time
                         * @description When the receiver answered 410.
                         */
                        gone_time: string | null;
                        /** @description How it ended; null while callbacks may follow. */
                        outcome: string | null;
                        /** @description What waits, in the order of sending. */
                        waiting: {
                            /** @description The version of its event. */
                            event_version: number;
                            /**
                             * @description A status of the request.
                             * @enum {string}
                             */
                            request_status: "pending" | "in_progress" | "completed" | "cancelled";
                            /**
                             * Format: date-time
                             * @description When the status changed.
                             */
                            time: string;
                            /** @description It is sent once more. */
                            is_replay: boolean;
                        }[];
                        /** @description What was delivered or given up. */
                        ended: {
                            /** @description The version of its event. */
                            event_version: number;
                            /**
                             * @description A status of the request.
                             * @enum {string}
                             */
                            request_status: "pending" | "in_progress" | "completed" | "cancelled";
                            /** @description Why it was given up; null: it was delivered. */
                            reason: string | null;
                            /**
                             * Format: date-time
                             * @description When it ended.
                             */
                            time: string;
                        }[];
                        /** @description Delivery events that are not on the event log yet. */
                        unpublished_events: number;
                    }[];
                } | null;
                results: {
                    archive: {
                        /** @description How far it is. */
                        state: string;
                        /** @description How many profiles matched; null while it is unknown. */
                        matched_profiles: number | null;
                        /** @description A process works on it. */
                        is_claimed: boolean;
                        /**
                         * Format: date-time
                         * @description When a process works on it next, or when the claim ends.
                         */
                        due_time: string | null;
                        /** @description How often it failed since it last succeeded. */
                        tries: number;
                        /** @description Its encrypted parts. */
                        chunks: number;
                        /** @description Its size. */
                        bytes: number;
                        /**
                         * Format: date-time
                         * @description When it was built.
                         */
                        built_time: string | null;
                        /**
                         * Format: date-time
                         * @description When the request was completed.
                         */
                        completed_time: string | null;
                        /**
                         * Format: date-time
                         * @description When its link ends.
                         */
                        expires_time: string | null;
                        /**
                         * Format: date-time
                         * @description When it is removed.
                         */
                        sweep_time: string | null;
                    } | null;
                    withdrawal: {
                        /** @description The profiles that ingestion erased. */
                        profiles: number;
                        /** @description How often all archives were searched. */
                        passes: number;
                        /** @description A process works on it. */
                        is_claimed: boolean;
                        /**
                         * Format: date-time
                         * @description When a process works on it next, or when the claim ends.
                         */
                        due_time: string | null;
                        /** @description How often it failed since it last succeeded. */
                        tries: number;
                    } | null;
                } | null;
                ingestion: {
                    /** @description The erasure of profiles. */
                    erasure: {
                        /** @description How many profiles matched; null while it is unknown. */
                        matched_profiles: number | null;
                        /** @description How often it was done: again after the completion of the request. */
                        passes: number;
                        /** @description The request service has its report. */
                        is_reported: boolean;
                        /** @description The request is completed. */
                        is_completed: boolean;
                        /** @description A process works on it. */
                        is_claimed: boolean;
                        /**
                         * Format: date-time
                         * @description When a process works on it next, or when the claim ends.
                         */
                        due_time: string | null;
                        /** @description How often it failed since it last succeeded. */
                        tries: number;
                    };
                } | null;
            };
            /** @description Services that did not answer in time. */
            unavailable: string[];
        };
        /** @description A page of the records of a request on the event log. */
        OperatorRecords: {
            /** @description Topic by topic, each in its order. The page may be short, and even empty, with a further page: the log has no index of requests. */
            records: {
                /**
                 * @description The topic.
                 * @enum {string}
                 */
                topic: "dsr.commands.v1" | "dsr.request-events.v1" | "dsr.participant-reports.v1" | "dsr.delivery-events.v1";
                /** @description The partition. */
                partition: number;
                /** @description The offset, as decimal text. */
                offset: string;
                /**
                 * Format: date-time
                 * @description When it was published, by the clock of its writer; null where that gave no time.
                 */
                time: string | null;
                /** @description The type of the message, where it is one of ours. */
                type: string | null;
                /** @description The id of the message, by which its readers know a repeat. */
                message_id: string | null;
                /** @description Fields of the message, named as on the topic (docs/api): numbers, times, ids, words of a list, keyed hashes of callback URLs; a hash in place of a participant that the request does not know. Null: it is not as the contract of the topic says. */
                fields: {
                    [key: string]: string | number | boolean;
                } | null;
                /** @description How many other fields it has: text, or sealed. */
                other_fields: number;
                /** @description Our headers; a hash in place of a value that is not as ours are. */
                headers: {
                    [key: string]: string;
                };
                /** @description How many other headers it has. */
                other_headers: number;
                /** @description The size of its value. */
                bytes: number;
                /** @description The beginning of the SHA-256 of its value. */
                hash: string;
            }[];
            /** @description What was read of each topic for this page. */
            topics: {
                /**
                 * @description The topic.
                 * @enum {string}
                 */
                topic: "dsr.commands.v1" | "dsr.request-events.v1" | "dsr.participant-reports.v1" | "dsr.delivery-events.v1";
                /** @description That of the key; null where it is denied. */
                partition: number | null;
                /**
                 * @description `read`: to the end that it had. `stopped`: a limit came first, and the next page goes on. `denied`: Kafka does not let the gateway read it (docs/connecting.md).
                 * @enum {string}
                 */
                state: "read" | "stopped" | "denied";
                /**
                 * @description The limit that came first: records of the page, bytes of whatever request, or time.
                 * @enum {string|null}
                 */
                stopped_by: "records" | "bytes" | "time" | null;
                /**
                 * Format: date-time
                 * @description Time of the last record that was read, of whatever request; null where none was.
                 */
                read_to_time: string | null;
                /** @description How much was read, of whatever request. */
                bytes: number;
                /** @description Whether the retention has removed earlier records, which may have been of this request. */
                is_cut: boolean;
                /**
                 * Format: date-time
                 * @description The time of the oldest record that is left, where earlier ones are removed.
                 */
                left_from_time: string | null;
                /** @description How long the topic keeps a record. */
                kept_ms: number;
            }[];
            /**
             * Format: date-time
             * @description From when on it searches.
             */
            from_time: string;
            /** @description For the next page; null where every topic was read. */
            next_cursor: string | null;
        };
        /** @description An attestation with the proof that it is in the public log. */
        AttestationBundle: {
            /** @constant */
            schema: 1;
            /** @description The bytes of the envelope. */
            envelope: string;
            leaf: {
                /** @description The place in the log. */
                index: number;
                /** @description The bytes of the entry of the log. */
                entry: string;
            };
            /** @description The hashes that lead from the leaf to the root, in the order of RFC 6962. */
            inclusion: string[];
            /** @description The checkpoint with all its signatures, a signed note. */
            checkpoint: string;
        };
        /** @description A page of the audit trail. */
        OperatorAudit: {
            /** @description The newest first. It may be shorter than asked for, and even empty, with a further page. */
            entries: {
                /** @description The id of the entry. */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was asked for.
                 */
                time: string;
                /** @description What was asked for. */
                action: string;
                /** @description The subject of the token, or the name that `dsr` was given. Null: a participant. */
                by: string | null;
                /** @description The role of who asked by the API. */
                role: string | null;
                /** @description The workspace that it concerns; null where none. */
                workspace: string | null;
                /** @description The request that it concerns; null where none. */
                subject_request_id: string | null;
                /** @description The participant that asked, or that it concerns. */
                participant: string | null;
                /** @description The callback that it concerns. */
                delivery_id: string | null;
                /** @description The parked record that it concerns. */
                record: string | null;
                /** @description The service whose parked records it concerns. */
                service: string | null;
                /** @description The API key that it concerns, never its secret. */
                key: string | null;
                /** @description The subject of who approved it. */
                approved_by: string | null;
                /** @description Why; null where none was given, or once the key of the request is destroyed. */
                reason: string | null;
            }[];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description The data of an event `changed`. */
        ChangedRequests: {
            /** @description Requests of the workspaces that the caller may read. */
            requests: {
                /** @description The workspace that the request belongs to. */
                workspace: string;
                /**
                 * Format: uuid
                 * @description The id of the request.
                 */
                subject_request_id: string;
            }[];
            /** @description Whether more changed than are named: read lists again. */
            more: boolean;
        };
        /** @description Whom a request is about, and what else is sealed under its key. */
        RevealedIdentities: {
            /** @description The workspace that the request belongs to. */
            workspace: string;
            /**
             * Format: uuid
             * @description The id of the request.
             */
            subject_request_id: string;
            /** @description The identities of the data subject. */
            identities: {
                /** @description What it is. */
                identity_type: string;
                /** @description Its value, as the service compares it. */
                identity_value: string;
            }[];
            /** @description The name of its group; null without one. */
            group_id: string | null;
            /** @description The hosts of its callback URLs. */
            callback_hosts: string[];
            /** @description Why its legal date was extended. */
            extension_reason: string | null;
            /** @description What operators asked for by the API about this request, the earliest first. */
            decisions: {
                /** @description What was asked for. */
                action: string;
                /**
                 * Format: date-time
                 * @description When it was asked for.
                 */
                time: string;
                /** @description The subject of the token. */
                by: string;
                /** @description Why. */
                reason: string;
            }[];
        };
        /** @description A wish to see whom a request is about, which a second person must approve. */
        OperatorReveal: {
            /**
             * Format: uuid
             * @description The id of the wish.
             */
            id: string;
            /** @description The workspace that the request belongs to. */
            workspace: string;
            /**
             * Format: uuid
             * @description The id of the request.
             */
            subject_request_id: string;
            /**
             * @description How it stands. `used`: the identities were shown.
             * @enum {string}
             */
            state: "open" | "approved" | "used";
            /** @description The subject of who asks. */
            asked_by: string;
            /** @description The role of who asks. */
            asked_role: string;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            asked_time: string;
            /** @description Why; null once the key of the request is destroyed. */
            reason: string | null;
            /** @description The subject of who approved it. */
            approved_by: string | null;
            /**
             * Format: date-time
             * @description When it was approved.
             */
            approved_time: string | null;
            /**
             * Format: date-time
             * @description Until when it counts.
             */
            ends_time: string;
        };
        /** @description A page of wishes. */
        OperatorRevealList: {
            /** @description The earliest first. */
            reveals: components["schemas"]["OperatorReveal"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description A host that receives callbacks of a workspace. */
        OperatorDestination: {
            /** @description The workspace whose callbacks it receives. */
            workspace: string;
            /** @description Stands for name and port: a keyed hash, because callback URLs are sealed. */
            host: string;
            /**
             * @description How the last attempt ended: `ok` it was delivered; `failing` it was not; `paused` the host was unreachable so often that only probes are sent.
             * @enum {string}
             */
            state: "ok" | "failing" | "paused";
            /** @description The last attempt, by any process. */
            last_attempt: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                time: string;
                /**
                 * @description How it ended.
                 * @enum {string}
                 */
                outcome: "delivered" | "rejected" | "gone" | "unreachable";
                /** @description Null where no answer came over verified TLS. */
                http_status: number | null;
            };
            /**
             * Format: date-time
             * @description When the last successful attempt began.
             */
            last_delivered_time: string | null;
            /**
             * Format: date-time
             * @description When the first failure after it began.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the next probe may be sent.
             */
            paused_until: string | null;
            /** @description How many destinations (callback URLs of requests) have something to send; counted no further than this. */
            waiting: number;
            /**
             * Format: date-time
             * @description When something is sent next.
             */
            next_attempt_time: string | null;
        };
        /** @description A page of hosts, by workspace. */
        OperatorDestinationList: {
            /** @description It may be short, and even empty, with a further page. */
            destinations: components["schemas"]["OperatorDestination"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
            /** @description Services that did not answer in time: what they have is missing. */
            unavailable: string[];
        };
        /** @description A host with what waits for it. */
        OperatorDestinationDetail: {
            /** @description The workspace whose callbacks it receives. */
            workspace: string;
            /** @description Stands for name and port: a keyed hash, because callback URLs are sealed. */
            host: string;
            /**
             * @description How the last attempt ended: `ok` it was delivered; `failing` it was not; `paused` the host was unreachable so often that only probes are sent.
             * @enum {string}
             */
            state: "ok" | "failing" | "paused";
            /** @description The last attempt, by any process. */
            last_attempt: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                time: string;
                /**
                 * @description How it ended.
                 * @enum {string}
                 */
                outcome: "delivered" | "rejected" | "gone" | "unreachable";
                /** @description Null where no answer came over verified TLS. */
                http_status: number | null;
            };
            /**
             * Format: date-time
             * @description When the last successful attempt began.
             */
            last_delivered_time: string | null;
            /**
             * Format: date-time
             * @description When the first failure after it began.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the next probe may be sent.
             */
            paused_until: string | null;
            /** @description How many destinations (callback URLs of requests) have something to send; counted no further than this. */
            waiting: number;
            /**
             * Format: date-time
             * @description When something is sent next.
             */
            next_attempt_time: string | null;
            /** @description What waits, by the time of the next attempt. */
            requests: {
                /** @description The id of the request. */
                subject_request_id: string;
                /** @description Stands for the URL, as in the callbacks of the request. */
                destination: string;
                /** @description How many callbacks wait. */
                callbacks: number;
                /**
                 * Format: date-time
                 * @description When the status changed that was not delivered yet. Null: a replay alone.
                 */
                undelivered_since: string | null;
                /**
                 * Format: date-time
                 * @description When it is tried next.
                 */
                next_attempt_time: string;
                /** @description Failed attempts in a row. */
                failed_attempts: number;
                /**
                 * Format: date-time
                 * @description When the first of them began.
                 */
                failing_since: string | null;
                /** @description Whether nothing was sent at the last time, because the host was paused. */
                postponed: boolean;
            }[];
        };
        /** @description A parked record, without its value. */
        OperatorParkedRecord: {
            /**
             * @description The service that could not handle it.
             * @enum {string}
             */
            service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            /** @description Names the record in paths: group, topic, partition and offset. `dsr parked` writes `/` in place of `~`. */
            id: string;
            /** @description The consumer group. */
            group: string;
            /** @description The topic. */
            topic: string;
            /** @description The partition. */
            partition: number;
            /** @description The offset, as decimal text. */
            offset: string;
            /** @description `<workspace>:<request>`; of any other key, which an outsider may have written, a hash. */
            key: string;
            /** @description The workspace of the key, where it is that of a request. */
            workspace: string | null;
            /** @description The request of the key. */
            subject_request_id: string | null;
            /** @description The type of the message, where it is one of ours. */
            type: string | null;
            /** @description Why it could not be handled. */
            reason: string;
            /**
             * Format: date-time
             * @description When it was parked.
             */
            since: string;
            /**
             * @description Whether later records of its key wait behind it, it waits itself, or neither.
             * @enum {string}
             */
            kind: "blocking" | "waiting" | "aside";
            /** @description Whether it will be handled again. */
            marked: boolean;
        };
        /** @description A page of parked records, service by service. */
        OperatorParkedList: {
            /** @description It may be short, and even empty, with a further page. */
            parked: components["schemas"]["OperatorParkedRecord"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
            /** @description Services that did not answer in time: what they have is missing. */
            unavailable: string[];
        };
        /** @description A parked record with its headers, without its value. */
        OperatorParkedDetail: {
            /**
             * @description The service that could not handle it.
             * @enum {string}
             */
            service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            /** @description Names the record in paths: group, topic, partition and offset. `dsr parked` writes `/` in place of `~`. */
            id: string;
            /** @description The consumer group. */
            group: string;
            /** @description The topic. */
            topic: string;
            /** @description The partition. */
            partition: number;
            /** @description The offset, as decimal text. */
            offset: string;
            /** @description `<workspace>:<request>`; of any other key, which an outsider may have written, a hash. */
            key: string;
            /** @description The workspace of the key, where it is that of a request. */
            workspace: string | null;
            /** @description The request of the key. */
            subject_request_id: string | null;
            /** @description The type of the message, where it is one of ours. */
            type: string | null;
            /** @description Why it could not be handled. */
            reason: string;
            /**
             * Format: date-time
             * @description When it was parked.
             */
            since: string;
            /**
             * @description Whether later records of its key wait behind it, it waits itself, or neither.
             * @enum {string}
             */
            kind: "blocking" | "waiting" | "aside";
            /** @description Whether it will be handled again. */
            marked: boolean;
            /** @description How many records wait behind it; counted no further than this. */
            behind: number;
            /** @description The id of the record behind which it waits. */
            blocked_by: string | null;
            /** @description Our headers; a hash in place of a value that is not as ours are. */
            headers: {
                [key: string]: string;
            };
            /** @description How many other headers it has. */
            other_headers: number;
            /** @description The size of its value. */
            bytes: number;
            /** @description The beginning of the SHA-256 of its value. */
            hash: string;
        };
        /** @description Which records will be handled again: within seconds or, by a service that is stopped, at its next start. */
        OperatorRedrive: {
            /** @description How many were marked. */
            marked: number;
            /** @description How many were marked before. */
            marked_already: number;
            /** @description Where the next call goes on; null where nothing is left. */
            next_cursor: string | null;
        };
        /** @description A record that was given up. */
        OperatorDrop: {
            /** @description Its id. */
            dropped: string;
            /** @description How many records waited behind it, and go on now. */
            behind: number;
        };
        /** @description What became of the records of one call. */
        OperatorDropMany: {
            /** @description How many were given up. */
            dropped: number;
            /** @description How many stay, because they wait behind one that stays, or are being handled. */
            left: number;
            /** @description Where the next call goes on; null where nothing is left. */
            next_cursor: string | null;
        };
        /** @description How the transparency log is. */
        OperatorTransparency: {
            /** @description How many leaves the newest checkpoint covers. */
            size: number;
            /** @description The newest checkpoint. Null before the first one. */
            checkpoint: string | null;
            /** @description What checks its signature. */
            verifier_key: string;
            /**
             * Format: date-time
             * @description Since when the oldest leaf waits that no checkpoint covers. Null: none waits.
             */
            uncovered_since: string | null;
            /** @description Who is asked to cosign it. */
            witnesses: {
                /** @description Its name. */
                name: string;
                /** @description Whether it has ever cosigned. */
                has_cosigned: boolean;
                /**
                 * Format: date-time
                 * @description When it cosigned last, or was asked first. Null: it was never asked.
                 */
                since: string | null;
                /** @description Why it did not cosign when it was asked last. */
                reason: string | null;
            }[];
        };
        /** @description A service, as one of its processes knows it. Of a service that did not answer in time only name and state are known. */
        OperatorService: {
            /** @description Its name; `standalone` is all services in one process. */
            service: string;
            /**
             * @description As `/readyz` says it; `unavailable` without an answer.
             * @enum {string}
             */
            state: "ok" | "degraded" | "unavailable";
            /** @description The version that runs. */
            version: string | null;
            /** @description How long the process runs. */
            uptime_seconds: number | null;
            /** @description What each check of `/readyz` says. */
            checks: {
                [key: string]: boolean;
            } | null;
            /** @description The consumer groups of the service. */
            consumer_groups: {
                /** @description Its name. */
                group: string;
                /**
                 * @description The state of this process in it.
                 * @enum {string}
                 */
                state: "joining" | "consuming" | "away";
                /** @description How far the group is behind the end of each of its topics. */
                topics: {
                    /** @description The topic. */
                    topic: string;
                    /** @description Records, over all partitions. */
                    lag: number;
                }[];
            }[];
            /** @description What waits to be published. */
            outboxes: {
                /** @description Its name. */
                outbox: string;
                /** @description The age of the oldest entry; 0 where none waits. */
                oldest_age_seconds: number;
            }[];
            /** @description What should have been done by now. */
            overdue_work: {
                /** @description Its name. */
                work: string;
                /** @description Since the oldest was due; 0 where none is overdue. */
                overdue_seconds: number;
            }[];
            /** @description How many records are parked. Null until they were counted. */
            parked: {
                /** @description Those that hold back later records of their key, and those that wait. */
                blocking: number;
                /** @description Those that hold nothing back. */
                aside: number;
            } | null;
            /** @description The certificates that sign receipts and callbacks. */
            certificates: {
                /**
                 * @description The version of the protocol.
                 * @enum {string}
                 */
                version: "v2" | "v1";
                /**
                 * Format: date-time
                 * @description When it ends.
                 */
                ends_time: string;
                /** @description Whole days until then; negative once it has ended. */
                days_left: number;
            }[];
            /** @description The settings of the process, without secrets. */
            settings: {
                /** @description The environment variable. */
                name: string;
                /** @description Its value or default. Null where it has none, or it is hidden. */
                value: string | null;
                /** @description Whether it has a value that is not shown, because it may be a secret. */
                hidden: boolean;
            }[];
        };
        /** @description The services and the topics between them. */
        OperatorSystem: {
            /** @description All services. */
            services: components["schemas"]["OperatorService"][];
            /** @description The topics of the event log. Null where it did not answer in time. */
            topics: {
                /** @description The topic. */
                name: string;
                /** @description Whether it exists. */
                exists: boolean;
                /** @description How it differs from what the services need; none where it is right. */
                differences: string[];
            }[] | null;
        };
        /** @description A workspace. */
        OperatorWorkspace: {
            /** @description Its id. */
            workspace: string;
            /** @description Its name for people. */
            name: string;
            /** @description The id of its controller. */
            controller_id: string;
            /** @description The kind of customer, as metrics show it. */
            class: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_time: string;
        };
        /** @description A page of workspaces, by id. */
        OperatorWorkspaceList: {
            /** @description It may be short, and even empty, with a further page. */
            workspaces: components["schemas"]["OperatorWorkspace"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description A workspace with what is set for it. */
        OperatorWorkspaceDetail: {
            /** @description Its id. */
            workspace: string;
            /** @description Its name for people. */
            name: string;
            /** @description The id of its controller. */
            controller_id: string;
            /** @description The kind of customer, as metrics show it. */
            class: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_time: string;
            /**
             * @description What becomes of data about erased persons that comes again.
             * @enum {string}
             */
            after_erasure: "accept" | "drop" | "reject";
            /**
             * @description Which profiles a device leads to: those without a login of a person, or all of its profiles.
             * @enum {string}
             */
            device_matching: "anonymous" | "all";
            /** @description How its legal periods are counted. */
            legal: {
                /** @description A name of the IANA database. */
                time_zone: string;
                /** @description Its public holidays. */
                holidays: string[];
                /** @description Its own period for gdpr in days. Null: that of the law. */
                gdpr_days: number | null;
                /** @description Its own period for ccpa in days. Null: that of the law. */
                ccpa_days: number | null;
                /**
                 * @description From when on the law counts.
                 * @enum {string}
                 */
                clock_start: "submitted" | "received";
            };
            /** @description The limits of its calls, the same for each workspace. */
            limits: {
                /** @description What is counted. */
                name: string;
                /** @description Null: no limit. */
                limit: number | null;
            }[];
        };
        /** @description An API key, without its secret. */
        OperatorApiKey: {
            /** @description The key. */
            key: string;
            /** @description What it gives access to. */
            scopes: ("dsr" | "ingest")[];
            /**
             * @description Whether it is in force.
             * @enum {string}
             */
            state: "active" | "expired" | "revoked";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_time: string;
            /**
             * Format: date-time
             * @description When it ends by itself. Null: never.
             */
            expires_time: string | null;
            /**
             * Format: date-time
             * @description When it was ended.
             */
            revoked_time: string | null;
        };
        /** @description The keys in force, the oldest first, then the last hundred that have ended. */
        OperatorApiKeyList: {
            /** @description The keys. */
            api_keys: components["schemas"]["OperatorApiKey"][];
        };
        /** @description A new API key with its secret, which nothing shows again. */
        OperatorMadeApiKey: {
            /** @description The key. */
            key: string;
            /** @description Its secret. */
            secret: string;
            /** @description What it gives access to. */
            scopes: ("dsr" | "ingest")[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_time: string;
            /**
             * Format: date-time
             * @description When it ends by itself. Null: never.
             */
            expires_time: string | null;
            /** @description The key whose place it takes. */
            replaces: string | null;
            /**
             * Format: date-time
             * @description When that one ends.
             */
            replaced_expires_time: string | null;
        };
        /** @description An outside participant. */
        OperatorParticipant: {
            /** @description Its workspace. */
            workspace: string;
            /** @description Its name. */
            name: string;
            /** @description Its domain, as controllers see it. */
            domain: string;
            /** @description The requests that it takes part in. */
            types: ("access" | "portability" | "erasure")[];
            /** @description The types of identities that it may read. Null: all. */
            identity_types: string[] | null;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_time: string;
        };
        /** @description Outside participants, by workspace and name. */
        OperatorParticipantList: {
            /** @description It may be short, and even empty, with a further page. */
            participants: components["schemas"]["OperatorParticipant"][];
            /** @description For the next page; null where the list ends. */
            next_cursor: string | null;
        };
        /** @description Problem details (RFC 9457). They repeat nothing that the caller sent. */
        Error: {
            /**
             * @description The status says what kind of problem it is.
             * @constant
             */
            type: "about:blank";
            /** @description The name of the HTTP status. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description The fault, or how many there are. */
            detail: string;
            /** @description Every fault that was found. */
            errors: {
                /** @description A code for programs, such as `PreconditionFailedException`. */
                reason: string;
                /** @description A sentence for people. */
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this call in our logs: the `X-Request-Id` of the caller if it is valid. */
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    finishSignIn: {
        parameters: {
            query?: {
                /** @description The authorization code. */
                code?: string;
                /** @description What the sign-in began with. */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    /** @description The cookie of the session. */
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    useSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLink"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    /** @description The cookie of the session. */
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who calls. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is left of it. */
            204: {
                headers: {
                    /** @description Removes the cookie of the session. */
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is left of it. */
            204: {
                headers: {
                    /** @description Removes the cookie of the session. */
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readOverview: {
        parameters: {
            query?: {
                /** @description Of this workspace alone. Without it, of all that the roles of the caller reach. */
                workspace?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOverview"];
                };
            };
        };
    };
    listOperatorRequests: {
        parameters: {
            query?: {
                /** @description Of this workspace alone. Without it, of all that the roles of the caller reach. */
                workspace?: string;
                /** @description The requests of this id, one in each workspace at most. */
                id?: string;
                /** @description Of the workspaces of this controller id. */
                controller?: string;
                /** @description Of the group of this name. Needs `workspace`. */
                group?: string;
                /** @description In this status. */
                status?: "pending" | "in_progress" | "completed" | "cancelled";
                /** @description Of this type. */
                type?: "access" | "portability" | "erasure";
                /** @description Whose time is counted by this law. */
                regulation?: "gdpr" | "ccpa";
                /** @description Received then or later. */
                received_from?: string;
                /** @description Received then or before. */
                received_to?: string;
                /** @description Received within this time, such as `24h`. */
                received_within?: string;
                /** @description Received longer ago than this time, such as `30d`. */
                older_than?: string;
                /** @description Not ended, and their legal date is over. `false`: not ended, and it is not over. */
                overdue?: "true" | "false";
                /** @description Not ended nor overdue, and in this state. What is overdue: `overdue`. */
                legal_state?: "on_track" | "at_risk";
                /** @description Not ended, and due within this time, such as `7d`; what is overdue too, unless `overdue` is `false`. */
                due_within?: string;
                /** @description Completed or cancelled within this time, such as `7d`. */
                ended_within?: string;
                /** @description With a failing callback. */
                callbacks?: "failing";
                /** @description `received`: the newest first. `due`: those that have not ended, the earliest legal date first; the default with `overdue`, `due_within` and `legal_state`. `ended`: those that have, the last one first; the default with `ended_within`. */
                order?: "received" | "due" | "ended";
                /** @description Requests of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestList"];
                };
            };
        };
    };
    countOperatorRequests: {
        parameters: {
            query?: {
                /** @description Of this workspace alone. Without it, of all that the roles of the caller reach. */
                workspace?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestCounts"];
                };
            };
        };
    };
    readOperatorRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    listOperatorCallbacks: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the callbacks. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCallbackList"];
                };
            };
        };
    };
    extendLegalDate: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the request as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Extended. The request as it is now. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    cancelOnBehalf: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the request as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Cancelled. The request as it is now. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    waiveParticipant: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the request as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
                /**
                 * @description The participant, as the request names it.
                 * @example crm
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Accepted. The request as it is now. */
            202: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    replayOperatorCallback: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the list of the callbacks as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
                /** @description The delivery id of the callback. */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Accepted. The callback as it was before. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCallback"];
                };
            };
        };
    };
    revealIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Whom it is about. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealedIdentities"];
                };
            };
            /** @description Somebody else must approve it. A repeat returns the same wish. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReveal"];
                };
            };
        };
    };
    listReveals: {
        parameters: {
            query?: {
                /** @description In this state. */
                state?: "open" | "approved" | "used";
                /** @description Wishes of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of wishes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRevealList"];
                };
            };
        };
    };
    approveReveal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the wish.
                 * @example 6d4f6a0c-54f0-4c1b-9b47-2f1f5f5f5b11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description Approved, for an hour. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReveal"];
                };
            };
        };
    };
    listOperatorEvents: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the story. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorHistory"];
                };
            };
        };
    };
    readOperatorServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By service. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRequestStates"];
                };
            };
        };
    };
    readOperatorAttestation: {
        parameters: {
            query?: {
                /** @description Which statement. Default: the newest. */
                statement?: "1" | "2";
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bundle. A later one may hold a newer checkpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.opendsr-service.attestation-bundle.v1+json": components["schemas"]["AttestationBundle"];
                };
            };
        };
    };
    listOperatorLogEntries: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorLogEntries"];
                };
            };
        };
    };
    listOperatorRecords: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
                /** @description Records of this time and later. Default: 10 minutes before the receipt. */
                from?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /**
                 * @description The subject request id, in any case.
                 * @example 475974fa-6b42-4370-bb56-b5d845686bb5
                 */
                srid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRecords"];
                };
            };
        };
    };
    watchOperatorChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, without an end. The data of each is a JSON text. */
            200: {
                headers: {
                    /** @description Proxies pass events on at once. */
                    "X-Accel-Buffering"?: "no";
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ChangedRequests"];
                };
            };
        };
    };
    listOperatorAudit: {
        parameters: {
            query?: {
                /** @description Of this workspace alone. */
                workspace?: string;
                /** @description By this operator or participant. */
                by?: string;
                /** @description Of this action. */
                action?: string;
                /** @description Then or later. */
                from?: string;
                /** @description Then or before. */
                to?: string;
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit trail. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorAudit"];
                };
            };
        };
    };
    listDestinations: {
        parameters: {
            query?: {
                /** @description Of this workspace alone. Without it, of all that the roles of the caller reach. */
                workspace?: string;
                /** @description In this state. */
                state?: "ok" | "failing" | "paused";
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of hosts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDestinationList"];
                };
            };
        };
    };
    readDestination: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /** @description `host` of the list. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The host. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDestinationDetail"];
                };
            };
        };
    };
    listParked: {
        parameters: {
            query?: {
                /** @description Of this service alone. */
                service?: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                /** @description Of this workspace alone. Without it, of all that the roles of the caller reach. */
                workspace?: string;
                /** @description Parked for this reason, such as `version-gap`. */
                parked_reason?: string;
                /** @description That block others, wait, or stand aside. */
                kind?: "blocking" | "waiting" | "aside";
                /** @description Of this key, as records show it. */
                key?: string;
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorParkedList"];
                };
            };
        };
    };
    readParked: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service. */
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                /** @description `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorParkedDetail"];
                };
            };
        };
    };
    redriveMany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service. */
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorManyRecords"];
            };
        };
        responses: {
            /** @description What will be handled again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRedrive"];
                };
            };
        };
    };
    dropMany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service. */
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorManyRecords"];
            };
        };
        responses: {
            /** @description They are given up. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDropMany"];
                };
            };
        };
    };
    redriveOne: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the record as it was read. */
                "If-Match": string;
            };
            path: {
                /** @description The service. */
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                /** @description `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description What will be handled again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorRedrive"];
                };
            };
        };
    };
    dropParked: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the record as it was read. */
                "If-Match": string;
            };
            path: {
                /** @description The service. */
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                /** @description `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description It is given up. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDrop"];
                };
            };
        };
    };
    readSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The services. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSystem"];
                };
            };
        };
    };
    readTransparency: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTransparency"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWorkspaceList"];
                };
            };
        };
    };
    readWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWorkspaceDetail"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    /** @description What `If-Match` of a change names, so that nobody decides on what has changed meanwhile. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorCreateKey"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorMadeApiKey"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the list of the keys as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /** @description The key, never its secret. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorRotateKey"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorMadeApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the list of the keys as it was read. */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
                /** @description The key, never its secret. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listParticipantsOfWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace.
                 * @example acme
                 */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorParticipantList"];
                };
            };
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                /** @description Entries of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same other parameters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorParticipantList"];
                };
            };
        };
    };
}
