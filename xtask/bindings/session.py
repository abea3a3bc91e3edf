"""A campaign from the first phone to the end, called from Python: URL CERTIFICATE FOLDER."""

import http.client
import ssl
import sys
import time
import urllib.parse
from pathlib import Path

import wayveil_phone as phone
from wayveil_phone import Outcome, Participant, Settings, StopSignal, TransportError, WayveilError

# Rounds close with two answers. The smallest has 15 % of the phones: it has fewer than two with
# probability 10^-7.
PHONES = 120
PASSES = 100
PAUSE_SECONDS = 0.3
VISITS = ["quay", "mill", "nowhere", "quay"]


class PythonTransport(phone.HttpTransport):
    """Carries requests with Python's own HTTP, and counts them."""

    def __init__(self, certificate):
        self.tls = ssl.create_default_context(cafile=certificate)
        self.urls = []

    def send(self, request):
        self.urls.append(request.url)
        url = urllib.parse.urlsplit(request.url)
        connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=60, context=self.tls)
        headers = {header.name: header.value for header in request.headers}
        post = request.method == phone.HttpMethod.POST
        try:
            connection.request("POST" if post else "GET", url.path, request.body if post else None, headers)
            reply = connection.getresponse()
            after = reply.getheader("retry-after")
            body = reply.read(request.longest_reply + 1)
        except OSError as error:
            raise TransportError.Failed(str(error)) from error
        finally:
            connection.close()
        return phone.HttpReply(status=reply.status, retry_after_seconds=after and int(after), body=body)


class Doing(phone.HttpTransport):
    """Does something, and says that nobody can answer now."""

    def __init__(self, what):
        self.what = what

    def send(self, request):
        self.what()
        return phone.HttpReply(status=503, retry_after_seconds=1)


def fails(kind, call, *says):
    try:
        call()
    except kind as error:
        assert all(part in str(error) for part in says), str(error)
        return
    raise AssertionError(f"{kind} was expected")


def throwing(error):
    def throw():
        raise error

    return Doing(throw)


def what_does_not_work(url, pem, folder):
    """Refusals and failures: each of its kind, and nothing is booked."""
    own = str(folder / "own")
    fails(WayveilError.InvalidInput, lambda: Participant(own, "none"), "certificate")
    one = Participant(own, pem)
    fails(WayveilError.InvalidInput, lambda: one.preview("count.example.org"), "https://")
    for wrong, kind, says in [
        ({"accept_epsilon": "0"}, WayveilError.InvalidInput, "epsilon"),
        ({"wait_seconds": 90_000}, WayveilError.InvalidInput, "86400"),
        ({"code": "4X7K"}, WayveilError.InvalidInput, "issuer"),
        ({"accept_epsilon": "1"}, WayveilError.Declined, "epsilon 2"),
        ({"accept_total": "1"}, WayveilError.Declined, "in all"),
    ]:
        fails(kind, lambda: one.take_part(Settings(collector=url, **wrong), VISITS), says)
    assert one.spending() == phone.Spending(total="0", campaigns=[])
    # A server that cannot prove who it is gets nothing.
    fails(WayveilError.Unavailable, lambda: Participant(own).preview(url))
    (folder / "file").write_text("")
    fails(WayveilError.Storage, Participant(str(folder / "file" / "own")).spending)

    settings = Settings(collector=url)
    for thrown in [TransportError.Failed("no net"), RuntimeError("no net")]:
        outcome = Participant.with_transport(own, throwing(thrown)).take_part(settings, VISITS)
        assert outcome.is_later() and "no net" in outcome.why, outcome
    meanwhile = []
    busy = Doing(lambda: meanwhile.append(fails(WayveilError.Busy, other.spending)))
    other = Participant.with_transport(own, busy)
    assert other.take_part(settings, VISITS).is_later() and meanwhile
    signal = StopSignal()
    patient = Settings(collector=url, wait_seconds=86_400)
    stopped = Participant.with_transport(own, Doing(signal.stop)).take_part(patient, VISITS, signal)
    assert stopped.is_later() and signal.is_stopped(), stopped

    (folder / "damaged").mkdir()
    (folder / "damaged" / "ledger").write_text("changed\n")
    fails(WayveilError.Damaged, Participant(str(folder / "damaged")).spending, "ledger:1")


def whole_campaign(url, pem, folder, carrier):
    """Phones answer until the campaign is over. What is counted next comes by the other transport."""
    folders = [str(folder / f"phone-{number}") for number in range(PHONES)]
    outcomes = [None] * PHONES
    counted = 0
    for _ in range(PASSES):
        for number, own in enumerate(folders):
            if outcomes[number] is None or outcomes[number].is_later():
                by_ours = counted % 2 == 0
                one = Participant(own, pem) if by_ours else Participant.with_transport(own, carrier)
                outcomes[number] = one.take_part(Settings(collector=url), VISITS)
                counted += outcomes[number].is_counted()
        if not any(outcome.is_later() for outcome in outcomes):
            return list(zip(folders, outcomes))
        time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"not over: {outcomes}")


def main(url, certificate, place):
    folder, pem = Path(place), Path(certificate).read_text()
    what_does_not_work(url, pem, folder)
    carrier = PythonTransport(certificate)
    first = Participant.with_transport(str(folder / "first"), carrier)
    campaign = first.preview(url)
    assert (campaign.name, campaign.epsilon, campaign.length, campaign.fragments) == ("Python", "2", 1, 1)
    assert campaign.admission.is_anyone() and campaign.over is None and campaign.people == PHONES, campaign

    phones = whole_campaign(url, pem, folder, carrier)
    counted = [own for own, outcome in phones if outcome.is_counted()]
    assert len(counted) >= 8, phones
    assert sum(asked.endswith("/v1/answers") for asked in carrier.urls) >= len(counted) // 2, carrier.urls
    paid = phone.LedgerEntry(campaign=campaign.id, epsilon="2", collector=url, outcome=Outcome.COUNTED())
    for own, outcome in phones:
        if outcome.is_counted():
            assert Participant(own).spending() == phone.Spending(total="2", campaigns=[paid])
        else:
            assert outcome.code in {"closed", "over"}, outcome
    assert first.preview(url).over is not None

    # Asking again brings the same and sends nothing but the question for the announcement.
    carrier.urls.clear()
    again = Participant.with_transport(counted[0], carrier)
    assert again.take_part(Settings(collector=url), ["hill"]).is_counted()
    assert carrier.urls == [f"{url}/v1/campaign"], carrier.urls
    print(f"Python: {len(counted)} of {PHONES} phones were counted")


if __name__ == "__main__":
    main(*sys.argv[1:])
